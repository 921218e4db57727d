import axe from 'axe-core'
import type { Page } from 'playwright-core'

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/** Finds violations of WCAG 2.2 AA with axe. It is injected through the debugger, which a page's policy does not restrict. */
export async function findAxeViolations(page: Page): Promise<[rule: string, elements: string[]][]> {
  await page.evaluate(axe.source)
  return page.evaluate(
    `axe.run(document, { runOnly: ${JSON.stringify(tags)} }).then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]))`,
  )
}
