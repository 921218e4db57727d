import axe from 'axe-core'
import type { Page } from 'playwright-core'

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/** What axe finds against WCAG 2.2 AA on a page, as rule and elements. Its source runs by the debugger, which no policy of a page concerns. */
export async function violationsOf(page: Page): Promise<[rule: string, elements: string[]][]> {
  await page.evaluate(axe.source)
  return page.evaluate(
    `axe.run(document, { runOnly: ${JSON.stringify(tags)} }).then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]))`,
  )
}
