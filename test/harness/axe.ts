import axe from 'axe-core'
import type { Page } from 'playwright-core'

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
const colorRules = axe.getRules(tags).filter((rule) => rule.tags.includes('cat.color'))
const runOnly = {
  everything: { type: 'tag', values: tags },
  colors: { type: 'rule', values: colorRules.map(({ ruleId }) => ruleId) },
}

/**
 * Finds violations of WCAG 2.2 AA with axe: of all rules, or only of those about colours. It is injected through the debugger,
 * which a page's policy does not restrict.
 */
export async function findAxeViolations(
  page: Page,
  about: keyof typeof runOnly = 'everything',
): Promise<[rule: string, elements: string[]][]> {
  if (await page.evaluate('typeof axe === "undefined"')) await page.evaluate(axe.source)
  return page.evaluate(
    `axe.run(document, ${JSON.stringify({ runOnly: runOnly[about], resultTypes: ['violations'] })}).then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]))`,
  )
}
