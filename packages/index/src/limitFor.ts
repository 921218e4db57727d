/** Lists are read in steps of so many rows, so that there are few different statements. */
const step = 25

/**
 * The limit of a list of so many rows and one more, which tells whether there are any. It must be part of a statement's text:
 * as a parameter it counts as a tenth of the table to who plans for all values.
 */
export function limitFor(rows: number): string {
  return `limit ${Math.ceil(rows / step) * step + 1}`
}
