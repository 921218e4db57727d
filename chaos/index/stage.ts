import { type Duplex, duplexPair } from 'node:stream'
import type { Market } from '@svc/protocol'
import postgres, { type Sql } from 'postgres'
import type { FollowOptions } from '../../apps/indexer/src/follow.ts'
import type { Trace } from './trace.ts'
import { type Line, openLine, turns } from './wire.ts'

/** Where a follower waits for its turn: before a statement or for a lock, in a pause, before a provider's answer. */
interface Point {
  kind: 'statement' | 'lock' | 'pause' | 'request'
  what: string
  line?: Line
  go: () => void
}

/** A follower on the stage: it moves only when told to, up to where it waits again. */
export interface Runner {
  name: string
  market: Market
  /** The first is where its next turn begins; it may read ahead of what it writes. */
  points: Point[]
  lines: Set<Line>
  /** Connections that it is about to end. */
  ending: number
  /** It has ended by itself. */
  over: boolean
  /** It was killed: nothing it does counts any more. */
  dead: boolean
}

/** What happens to a statement. A connection that is lost is cut off without a word, or Postgres says why. */
type Fate = 'passes' | 'lost before' | 'lost after' | 'refused before' | 'refused after'

export interface Stage {
  join: (name: string, market: Market) => Runner
  /** Clients whose every statement is a point of this runner. */
  connect: (runner: Runner) => FollowOptions['connect']
  /** Waits for a turn. */
  park: (runner: Runner, kind: 'pause' | 'request', what: string) => Promise<void>
  /** The runner has come to its end. */
  leave: (runner: Runner) => void
  /** Settles when a runner waits for its turn, or is over. */
  settled: (runner: Runner) => Promise<void>
  /** Those that can have the next turn. */
  ready: () => Runner[]
  /** Lets one go to its next point. */
  go: (runner: Runner, fate?: Fate) => Promise<void>
  /** Cuts all connections of a runner while it does something else. */
  cut: (runner: Runner) => Promise<void>
  /** As kill -9 does: what was in memory is gone, what was begun is not finished. */
  kill: (runner: Runner) => Promise<void>
  /** Every connection is lost at the same moment. */
  cutAll: (restart?: () => Promise<void>) => Promise<void>
  /** Lets all come to their end, as they were told. */
  empty: () => Promise<void>
  close: () => Promise<void>
}

/** Far longer than any turn takes: who needs more hangs. */
const longestTurn = 20_000
/** A client writes one turn after it was asked to, and what it wrote arrives within another. */
const quietTurns = 4

/** A stage on which one runner moves at a time, so that whoever gives the turns decides everything that happens. */
export function createStage(url: string, admin: Sql, trace: Trace): Stage {
  const runners = new Set<Runner>()
  // Grows with everything that a runner does.
  let doings = 0

  const arrive = (runner: Runner, point: Point): void => {
    doings++
    if (!runner.dead) runner.points.push(point)
  }
  /** Ends a connection from the side of Postgres, and only then for the client: whatever it held is free by then. */
  const end = async (runner: Runner, line: Line, told: boolean): Promise<void> => {
    // One that has only begun to connect holds nothing yet.
    if (!line.isGone() && line.pid() > 0) {
      await admin`select pg_terminate_backend(${line.pid()})`
      await line.gone
    }
    runner.lines.delete(line)
    runner.points = runner.points.filter((point) => point.line !== line)
    await line.hangUp(told)
  }

  /** Settles when a lock is had or must be waited for. */
  const decided = async (line: Line): Promise<void> => {
    for (const until = Date.now() + longestTurn; !line.answered() && !line.isGone(); ) {
      const [lock] = await admin<{ granted: boolean }[]>`
        select granted from pg_locks where locktype = 'advisory' and pid = ${line.pid()}`
      if (lock?.granted === false) return
      if (Date.now() > until) throw new Error(`Nobody knows who has the lock that process ${line.pid()} waits for.`)
    }
  }
  /** Who waited for a lock may have it now. */
  const grant = async (): Promise<void> => {
    for (const { points } of runners)
      for (const { kind, line } of points) if (kind === 'lock' && line) await decided(line)
  }

  const stage: Stage = {
    join(name, market) {
      const runner: Runner = { name, market, points: [], lines: new Set(), ending: 0, over: false, dead: false }
      runners.add(runner)
      return runner
    },
    connect: (runner) => (schema, onLost) => {
      const own = new Set<Line>()
      let ended = false
      const socket = () => {
        // A query that waited for a connection that was lost makes the client connect again, even when it is ended.
        if (ended) return closing()
        const line = openLine(url, (on, text) =>
          arrive(runner, {
            kind: 'statement',
            what: text.trim().replace(/\s+/g, ' ').slice(0, 48),
            line: on,
            go: () => {},
          }),
        )
        own.add(line)
        runner.lines.add(line)
        return line.socket
      }
      // Not the connector of the index, which shows by the clock that it is alive: here nothing may depend on a clock.
      const options = {
        max: 1,
        max_lifetime: null,
        fetch_types: false,
        backoff: () => 0,
        connection: { search_path: schema, application_name: runner.name },
        onclose() {
          doings++
          onLost()
        },
        onnotice: () => {},
        socket,
      }
      const sql = postgres(url, options)
      const leave = sql.end
      return Object.assign(sql, {
        // When a process ends its connection Postgres needs a moment to see it: nobody moves before that.
        end: async (how?: { timeout?: number }) => {
          runner.ending++
          ended = true
          await leave(how)
          for (const line of own) if (runner.lines.has(line)) await end(runner, line, false)
          if (!runner.dead) await grant()
          runner.ending--
          doings++
        },
      })
    },
    park: (runner, kind, what) => new Promise((go) => arrive(runner, { kind, what, go })),
    leave(runner) {
      doings++
      runner.over = true
    },
    async settled(runner) {
      const until = Date.now() + longestTurn
      const moves = () => runner.ending > 0 || (runner.points.length === 0 && !runner.over)
      for (let before = -1; before !== doings || moves(); ) {
        before = doings
        await turns(quietTurns)
        if (Date.now() > until) throw new StuckError(runner)
      }
    },
    ready: () =>
      [...runners].filter(({ points: [first] }) => first && (first.kind !== 'lock' || first.line?.answered())),
    async go(runner, fate = 'passes') {
      const [point] = runner.points
      if (!point) throw new Error(`${runner.name} has nowhere to go from.`)
      const { kind, what, line } = point
      trace.note(runner.name, `${kind} ${what} ${kind === 'statement' ? fate : ''}`)
      if (kind === 'statement' && line && !fate.endsWith('before')) {
        const answer = line.run()
        await (what.includes('pg_advisory_lock') ? decided(line) : answer)
        if (!line.answered()) {
          point.kind = 'lock'
          return
        }
      }
      runner.points.shift()
      if (!line) point.go()
      else if (fate === 'passes') line.deliver()
      else await end(runner, line, fate.startsWith('refused'))
      await stage.settled(runner)
      await grant()
    },
    async cut(runner) {
      for (const line of runner.lines) await end(runner, line, false)
      await stage.settled(runner)
      await grant()
    },
    async kill(runner) {
      runner.dead = true
      runners.delete(runner)
      for (const line of runner.lines) await end(runner, line, false)
      runner.points = []
      await turns(quietTurns)
      await grant()
    },
    async cutAll(restart) {
      await restart?.()
      for (const runner of runners) {
        for (const line of runner.lines) await end(runner, line, false)
        await stage.settled(runner)
      }
      await grant()
    },
    async empty() {
      for (const runner of runners) {
        // Who waits for the lock leaves by itself; who writes comes to the end of its step.
        for (let count = 0; !runner.over && count < 1_000; count++) {
          if (runner.points[0]?.kind === 'lock') runner.points.shift()
          if (runner.points.length > 0) await stage.go(runner)
          else await stage.settled(runner)
        }
      }
    },
    async close() {
      for (const runner of runners) await stage.kill(runner)
    },
  }
  return stage
}

/** A socket that closes as soon as it is used. */
function closing(): Duplex {
  const [socket] = duplexPair()
  setImmediate(() => socket.destroy())
  return socket
}

/** A follower that neither goes on nor fails. */
class StuckError extends Error {
  override name = 'StuckError'

  constructor({ name }: Runner) {
    super(`${name} did not come to its next point in ${longestTurn} ms.`)
  }
}
