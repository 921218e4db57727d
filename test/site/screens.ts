// pnpm screens:site: takes pictures of every page of the site, in both themes, wide and narrow, for docs/screens/site.
import { mkdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { accounts } from '@svc/devnet'
import { openSite } from './openSite.ts'
import { createPerson } from './person.ts'
import { shots, waitUntilSettled } from './shots.ts'

const folder = fileURLToPath(new URL('../../docs/screens/site/', import.meta.url))
const sizes = { wide: { width: 1280, height: 900 }, narrow: { width: 360, height: 740 } } as const
/** A picture shows no more of a long page. */
const tallest = 1_600

const { stack, browser, close } = await openSite()
await mkdir(folder, { recursive: true })
for (const colorScheme of ['light', 'dark'] as const) {
  for (const [size, viewport] of Object.entries(sizes)) {
    for (const [name, path, prepare] of shots) {
      // Of states, two of the four pictures tell enough.
      if (name.includes('-') && (size === 'wide') !== (colorScheme === 'light')) continue
      const { page, context, open } = await createPerson(browser, stack, accounts.emeka.address)
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await page.setViewportSize(viewport)
      await open(path)
      await waitUntilSettled(page)
      await prepare?.(page)
      const height = Math.min(tallest, Number(await page.evaluate('document.documentElement.scrollHeight')))
      await page.screenshot({
        path: `${folder}${name}-${colorScheme}-${size}.png`,
        clip: { x: 0, y: 0, width: viewport.width, height },
        fullPage: true,
      })
      await context.close()
    }
  }
}
await close()
