import manifest from '../package.json' with { type: 'json' }

/** What every command does first: it prints its version when asked, and ends quietly when the reader of its output is gone. */
export function startCommand(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error
      process.exit(0)
    })
  }
  if (process.argv[2] !== '--version' || process.argv.length > 3) return
  process.stdout.write(`${manifest.version}\n`)
  process.exit(0)
}
