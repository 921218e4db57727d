import { killAll } from './indexer.ts'
import type { Finding } from './stage.ts'

/** Plays those scenes whose name has `only` in it, one after the other, says what each found, and counts. */
export async function playScenes(scenes: Readonly<Record<string, () => Promise<Finding>>>, only: string) {
  const count = { passed: 0, failed: 0 }
  for (const [name, play] of Object.entries(scenes)) {
    if (!name.includes(only)) continue
    const finding = await play().catch((error: Error) => ({
      what: name,
      figures: '',
      fault: error.stack ?? error.message,
    }))
    await killAll()
    count[finding.fault ? 'failed' : 'passed']++
    console.log(`${finding.fault ? 'FALSE' : 'true '} ${finding.what}\n      ${finding.figures}`)
    if (finding.fault) console.log(finding.fault)
  }
  return count
}
