// pnpm chaos alerts [--only NAME,NAME] [--speed 6]: a whole market with real Prometheus and Alertmanager. Things break one after another,
// and exactly those are told that docs/operations.md names. Needs Debian's prometheus and prometheus-alertmanager.
import { readFileSync } from 'node:fs'
import { parseOptions, runEach, runSuite, TooSlowError } from '../shared/suite.ts'
import { type FaultName, faultNames } from './faultNames.ts'
import { faults } from './faults.ts'
import { type DrillMarket, startDrillMarket } from './market.ts'
import { type Monitoring, startMonitoring } from './monitoring.ts'

const options = parseOptions({ only: '', speed: 6 })
const { only } = options
/** Longer than any alert waits, in seconds of the rules. */
const patience = 1_500

const page = readFileSync(new URL('../../docs/operations.md', import.meta.url), 'utf8')
const section = page.split('### `pnpm chaos alerts`')[1]?.split('\n### ')[0] ?? ''
/** What the runbook promises, by fault. */
const promised = new Map(
  [...section.matchAll(/^\| `(\w+)`.* \| (.*) \|$/gm)].map(([, name = '', alerts = '']): [string, string[]] => [
    name,
    alerts.match(/Svc\w+/g) ?? [],
  ]),
)

/** The alerts of which somebody was told, once for each message. */
const listTold = ({ told }: Monitoring) =>
  told.filter(({ status }) => status === 'firing').flatMap(({ alerts }) => alerts[0]?.labels.alertname ?? [])

const sleep = (ms: number) => new Promise((done) => setTimeout(done, ms))
const format = (ms: number) => `${(ms / 1_000).toFixed(1)} s`

interface World {
  market: DrillMarket
  stop: () => Promise<void>
}

await runSuite(
  options,
  async (): Promise<World> => {
    const market = await startDrillMarket(options.speed)
    return { market, stop: market.stop }
  },
  ({ market }) =>
    runEach(
      faultNames
        .filter((name) => only === '' || only.split(',').includes(name))
        .map((name) => ({
          name,
          rerun: `pnpm chaos alerts --only ${name}`,
          play: () => drill(market, name),
        })),
    ),
)

/** Breaks something, waits until the right people were told, and until nothing is said any more. */
async function drill(market: DrillMarket, name: FaultName) {
  const [fault, wanted] = [faults[name], promised.get(name)]
  if (!wanted) throw new Error(`docs/operations.md does not say what is told of ${name}.`)
  const speed = Math.min(fault.speed ?? options.speed, options.speed)
  // A window of rules should contain nothing of what broke before.
  const monitoring = await startMonitoring(market.targets, speed)
  try {
    await waitForSilence(monitoring, speed, 'before it breaks')
    const began = Date.now()
    await fault.begin(market)
    const isTold = () => wanted.every((alert) => listTold(monitoring).includes(alert))
    let firedMs = 0
    try {
      await waitFor(`${wanted.join(', ')} is told`, async () => isTold(), monitoring, speed)
      firedMs = Date.now() - began
      await sleep(((fault.seconds ?? 120) / speed) * 1_000)
    } finally {
      await fault.end(market)
    }
    const ended = Date.now()
    await waitForSilence(monitoring, speed, 'after it is good again')
    const clearedMs = Date.now() - ended
    // What was held back while another alert explained it is told now, or never.
    await sleep((330 / speed) * 1_000)
    const told = listTold(monitoring)
    const pages = monitoring.told.filter(({ receiver, status }) => receiver === 'pages' && status === 'firing').length
    const unexpected = told.filter((alert) => !wanted.includes(alert))
    return {
      text: `${wanted.join(', ') || 'nobody'} told after ${format(firedMs)}, silent ${format(clearedMs)} after the end; ${pages} pages`,
      faults: [
        ...(unexpected.length > 0 ? [`Also told: ${unexpected.join(', ')}`] : []),
        ...(new Set(told).size < told.length ? [`Told twice: ${told.join(', ')}`] : []),
      ].map((fault) => `${fault}\n${JSON.stringify(monitoring.told)}`),
    }
  } finally {
    await monitoring.stop()
  }
}

/** Waits until every process is scraped and no alert waits or fires. */
function waitForSilence(monitoring: Monitoring, speed: number, when: string): Promise<void> {
  return waitFor(
    `no alert fires ${when}`,
    async () => {
      const down = await monitoring.query('absent(count(up == 1) == 9)')
      return down.length === 0 && (await monitoring.readAlerts()).length === 0
    },
    monitoring,
    speed,
  )
}

async function waitFor(
  what: string,
  holds: () => Promise<boolean>,
  monitoring: Monitoring,
  speed: number,
): Promise<void> {
  const until = Date.now() + (patience / speed) * 1_000
  while (!(await holds())) {
    if (Date.now() > until) {
      const now = (await monitoring.readAlerts()).map(({ name, state }) => `${name} ${state}`).join(', ')
      throw new TooSlowError(
        `Expected that ${what}. Told: ${listTold(monitoring).join(', ')}. Now: ${now || 'nothing'}.`,
      )
    }
    await sleep(200)
  }
}
