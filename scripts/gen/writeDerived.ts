import { readFile, writeFile } from 'node:fs/promises'

/** Writes a derived file, unless it is already correct: CI generates while other steps read these files. */
export async function writeDerived(file: string | URL, text: string): Promise<void> {
  const current = await readFile(file, 'utf8').catch(() => null)
  if (current !== text) await writeFile(file, text)
}
