// pnpm lighthouse: measures the first page, the list, a task and the post page with Lighthouse on a slow phone, and fails below
// the targets.
import { existsSync } from 'node:fs'
import { findTaskNumber } from '@svc/devnet'
import lighthouse from 'lighthouse'
import { chromium } from 'playwright-core'
import { startSite } from '../test/harness/site.ts'

const paths = {
  'first page': '/',
  explore: '/tasks',
  task: `/tasks/v2:standard:${findTaskNumber('standard', 'openUnfunded')}`,
  post: '/post',
} as const
const targets = { performance: 90, accessibility: 100, 'best-practices': 95, seo: 95 } as const
const categories = Object.keys(targets) as (keyof typeof targets)[]
const port = 9_333
/** Other load on the machine only lowers a score, so the best of some runs counts. */
const runs = 3

const executablePath = ['/usr/bin/chromium', '/usr/bin/google-chrome'].find((path) => existsSync(path))
if (!executablePath) throw new Error('Chromium is needed.')
const stack = await startSite()
const browser = await chromium.launch({
  executablePath,
  args: ['--no-sandbox', '--disable-dev-shm-usage', `--remote-debugging-port=${port}`],
})
try {
  for (const [name, path] of Object.entries(paths)) {
    const scores = await measure(stack.url + path)
    console.log(`${name.padEnd(10)} ${categories.map((category) => `${category} ${scores[category]}`).join('  ')}`)
    if (categories.some((category) => scores[category] < targets[category])) process.exitCode = 1
  }
} finally {
  await browser.close()
  await stack.stop()
}

/** The best scores of some runs, 0 to 100. Stops when all targets are met. Prints what could be better. */
async function measure(url: string): Promise<Record<keyof typeof targets, number>> {
  const best = { performance: 0, accessibility: 0, 'best-practices': 0, seo: 0 }
  for (let run = 0; run < runs; run++) {
    // Its mobile preset slows the processor down four times, which suits a fast one: its benchmark says how fast this one is.
    const report = (await lighthouse(url, { port, output: 'json', logLevel: 'error', onlyCategories: categories }))?.lhr
    if (!report) continue
    for (const category of categories) {
      best[category] = Math.max(best[category], Math.round((report.categories[category]?.score ?? 0) * 100))
    }
    console.log(`  benchmark ${report.environment.benchmarkIndex}`)
    if (categories.every((category) => best[category] >= targets[category])) break
    for (const { id, score, displayValue = '', scoreDisplayMode } of Object.values(report.audits)) {
      const counts = scoreDisplayMode === 'binary' || scoreDisplayMode === 'numeric'
      if (counts && score !== null && score < 0.9) console.log(`  ${id} ${Math.round(score * 100)} ${displayValue}`)
    }
  }
  return best
}
