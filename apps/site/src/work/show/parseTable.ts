/** More of a table is not shown. */
export const tableLimits = { rows: 100, columns: 20 } as const

/** Parses the beginning of comma-separated values (RFC 4180), in one pass. Never fails: strange quotes stay as they are. */
export function parseTable(text: string): { rows: string[][]; isCut: boolean } {
  const rows: string[][] = [[]]
  let cell = ''
  let isQuoted = false
  let isCut = false
  const endCell = () => {
    const row = rows.at(-1)
    if (row && row.length < tableLimits.columns) row.push(cell)
    else isCut = true
    cell = ''
  }
  for (let at = 0; at < text.length; at++) {
    const letter = text[at] ?? ''
    if (letter === '"' && (isQuoted || cell === '')) {
      // Two quotes inside of quotes are one.
      if (isQuoted && text[at + 1] === '"') cell += text[++at]
      else isQuoted = !isQuoted
    } else if (isQuoted || (letter !== ',' && letter !== '\n')) {
      cell += letter
    } else {
      endCell()
      if (letter === ',' || at === text.length - 1) continue
      if (rows.length > tableLimits.rows) return { rows, isCut: true }
      rows.push([])
    }
  }
  if (!text.endsWith('\n') || isQuoted) endCell()
  return { rows, isCut }
}
