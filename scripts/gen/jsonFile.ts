/** Formats a JSON file with short lists on one line, as the formatter requires. */
export function formatJsonFile(value: unknown): string {
  const json = JSON.stringify(value, null, 2)
  const short = (lines: string, start: string, items: string) => {
    const line = `${start}[${items.trim().replace(/\n */g, ' ')}]`
    return line.length < 120 ? line : lines
  }
  return `${json.replace(/^(.*)\[\n((?: *(?:"(?:[^"\\\n]|\\.)*"|[\w.-]+),?\n)+) *\]/gm, short)}\n`
}
