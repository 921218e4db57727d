import { copyFile, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { writeDerived } from './writeDerived.ts'

const design = new URL('../../packages/design/', import.meta.url)
const assets = new URL('../../apps/gateway/pages/assets/', import.meta.url)

/** Copies the shared tokens and the font to the gateway's pages, which are served as files without a build. */
export async function genDesign(): Promise<void> {
  const { resolve } = createRequire(new URL('package.json', design))
  await copyFile(new URL('tokens.css', design), new URL('tokens.css', assets))
  const font = await readFile(new URL('font.css', design), 'utf8')
  const names: string[] = []
  const served = font.replace(/url\("(@fontsource[^"]+\/([^"/]+\.woff2))"\)/g, (_, path: string, name: string) => {
    names.push(path)
    return `url("/assets/${name}")`
  })
  // These pages are on this machine: a font that is not there at once is not worth moving the text for.
  await writeDerived(new URL('font.css', assets), served.replaceAll('font-display: swap', 'font-display: optional'))
  // The font's licence asks to travel with it.
  await copyFile(resolve('@fontsource-variable/geist/LICENSE'), new URL('geist-license.txt', assets))
  for (const path of names) await copyFile(resolve(path), new URL(path.split('/').at(-1) ?? '', assets))
}
