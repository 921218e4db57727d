import { type Duplex, duplexPair } from 'node:stream'
import type { Market } from '@svc/protocol'
import postgres, { type Sql } from 'postgres'
import type { FollowOptions } from '../../apps/indexer/src/follow.ts'
import { type HeldConnection, openHeldConnection, yieldTurns } from './heldConnection.ts'
import type { Trace } from './trace.ts'

/** Where a follower waits for its turn: before a statement, for a lock, in a pause, or before a provider's answer. */
interface Point {
  kind: 'statement' | 'lock' | 'pause' | 'request'
  what: string
  connection?: HeldConnection
  go: () => void
}

/** A scheduled follower. It moves only when told to, up to its next point. */
export interface Runner {
  name: string
  market: Market
  /** The first one is where its next turn starts. It may read ahead of what it writes. */
  points: Point[]
  connections: Set<HeldConnection>
  /** Connections that it is closing. */
  ending: number
  /** It ended by itself. */
  over: boolean
  /** It was killed. Nothing it does counts any more. */
  dead: boolean
}

/** What happens to a statement. `lost` cuts the connection; `refused` passes on the error of Postgres first. */
type StatementOutcome = 'passes' | 'lost before' | 'lost after' | 'refused before' | 'refused after'

export interface Scheduler {
  join: (name: string, market: Market) => Runner
  /** Database clients whose every statement is a point of this runner. */
  connect: (runner: Runner) => FollowOptions['connect']
  /** Waits for a turn. */
  park: (runner: Runner, kind: 'pause' | 'request', what: string) => Promise<void>
  /** The runner has ended. */
  leave: (runner: Runner) => void
  /** Resolves when a runner waits for its turn or has ended. */
  waitUntilParked: (runner: Runner) => Promise<void>
  /** The runners that can take the next turn. */
  ready: () => Runner[]
  /** Lets a runner move to its next point. */
  advance: (runner: Runner, fate?: StatementOutcome) => Promise<void>
  /** Cuts all connections of a runner while it does something else. */
  cut: (runner: Runner) => Promise<void>
  /** Kills a runner as kill -9 does: its memory is lost, and nothing it began is finished. */
  kill: (runner: Runner) => Promise<void>
  /** Cuts all connections at once. */
  cutAll: (restart?: () => Promise<void>) => Promise<void>
  /** Lets every runner stop by itself. */
  drain: () => Promise<void>
  close: () => Promise<void>
}

/** Far longer than any turn takes. A runner that needs more hangs. */
const longestTurn = 20_000
/** A statement that takes longer may wait for a lock. */
const lateAnswer = 500
/** A client writes one turn after it was asked to, and the data arrives one turn later. */
const quietTurns = 4

/** Lets one runner move at a time, so that the caller decides the order of everything that happens. */
export function createScheduler(url: string, admin: Sql, trace: Trace): Scheduler {
  const runners = new Set<Runner>()
  // Increases with everything that a runner does.
  let activity = 0

  const arrive = (runner: Runner, point: Point): void => {
    activity++
    if (!runner.dead) runner.points.push(point)
  }
  /** Ends a connection at Postgres first and then at the client, so that its locks are free by then. */
  const end = async (runner: Runner, connection: HeldConnection, withError: boolean): Promise<void> => {
    // A connection that is still starting holds nothing.
    if (!connection.isClosed() && connection.pid() > 0) {
      await admin`select pg_terminate_backend(${connection.pid()})`
      await connection.closed
    }
    runner.connections.delete(connection)
    runner.points = runner.points.filter((point) => point.connection !== connection)
    await connection.close(withError)
  }

  /** Resolves when a statement is answered or has to wait for a lock. */
  const lockDecided = async (connection: HeldConnection): Promise<void> => {
    for (const until = Date.now() + longestTurn; !connection.answered() && !connection.isClosed(); ) {
      const waiting = await admin`select from pg_locks where not granted and pid = ${connection.pid()}`
      if (waiting.length > 0) return
      if (Date.now() > until)
        throw new Error(`Postgres did not answer a statement of process ${connection.pid()} in time.`)
    }
  }
  /** Waits for an answer. One that takes long may wait for another runner's lock, which never moves by itself. */
  const answerOrWait = async (connection: HeldConnection, answer: Promise<unknown>): Promise<void> => {
    const late = new Promise((resolve) => setTimeout(resolve, lateAnswer, 'late').unref())
    if ((await Promise.race([answer, late])) === 'late') await lockDecided(connection)
  }
  /** A waiting runner may have been granted the lock. */
  const grant = async (): Promise<void> => {
    for (const { points } of runners)
      for (const { kind, connection } of points) if (kind === 'lock' && connection) await lockDecided(connection)
  }

  const scheduler: Scheduler = {
    join(name, market) {
      const runner: Runner = { name, market, points: [], connections: new Set(), ending: 0, over: false, dead: false }
      runners.add(runner)
      return runner
    },
    connect: (runner) => (schema, onLost) => {
      const own = new Set<HeldConnection>()
      let ended = false
      const socket = () => {
        // A query that waited for a lost connection makes the client reconnect, even after `end`.
        if (ended) return createClosingSocket()
        const connection = openHeldConnection(url, (on, text) =>
          arrive(runner, {
            kind: 'statement',
            what: text.trim().replace(/\s+/g, ' ').slice(0, 48),
            connection: on,
            go: () => {},
          }),
        )
        own.add(connection)
        runner.connections.add(connection)
        return connection.socket
      }
      // Not the index's own connector: it sends keep-alives by the clock, and nothing here may depend on a clock.
      const options = {
        max: 1,
        max_lifetime: null,
        fetch_types: false,
        backoff: () => 0,
        connection: { search_path: schema, application_name: runner.name },
        onclose() {
          activity++
          onLost()
        },
        onnotice: () => {},
        socket,
      }
      const sql = postgres(url, options)
      const leave = sql.end
      return Object.assign(sql, {
        // Postgres needs a moment to notice that a connection was ended. Nothing moves before that.
        end: async (how?: { timeout?: number }) => {
          runner.ending++
          ended = true
          await leave(how)
          for (const connection of own) if (runner.connections.has(connection)) await end(runner, connection, false)
          if (!runner.dead) await grant()
          runner.ending--
          activity++
        },
      })
    },
    park: (runner, kind, what) => new Promise((go) => arrive(runner, { kind, what, go })),
    leave(runner) {
      activity++
      runner.over = true
    },
    async waitUntilParked(runner) {
      const until = Date.now() + longestTurn
      const moves = () => runner.ending > 0 || (runner.points.length === 0 && !runner.over)
      for (let before = -1; before !== activity || moves(); ) {
        before = activity
        await yieldTurns(quietTurns)
        if (Date.now() > until) throw new StuckError(runner)
      }
    },
    ready: () =>
      [...runners].filter(({ points: [first] }) => first && (first.kind !== 'lock' || first.connection?.answered())),
    async advance(runner, fate = 'passes') {
      const [point] = runner.points
      if (!point) throw new Error(`${runner.name} has no point to advance from.`)
      const { kind, what, connection } = point
      trace.record(runner.name, `${kind} ${what} ${kind === 'statement' ? fate : ''}`)
      if (kind === 'statement' && connection && !fate.endsWith('before')) {
        const answer = connection.run()
        await (what.includes('pg_advisory_lock') ? lockDecided(connection) : answerOrWait(connection, answer))
        if (!connection.answered()) {
          point.kind = 'lock'
          return
        }
      }
      runner.points.shift()
      if (!connection) point.go()
      else if (fate === 'passes') connection.deliver()
      else await end(runner, connection, fate.startsWith('refused'))
      await scheduler.waitUntilParked(runner)
      await grant()
    },
    async cut(runner) {
      for (const connection of runner.connections) await end(runner, connection, false)
      await scheduler.waitUntilParked(runner)
      await grant()
    },
    async kill(runner) {
      runner.dead = true
      runners.delete(runner)
      for (const connection of runner.connections) await end(runner, connection, false)
      runner.points = []
      await yieldTurns(quietTurns)
      await grant()
    },
    async cutAll(restart) {
      await restart?.()
      for (const runner of runners) {
        for (const connection of runner.connections) await end(runner, connection, false)
        await scheduler.waitUntilParked(runner)
      }
      await grant()
    },
    async drain() {
      for (const runner of runners) {
        // A runner that waits for the lock ends by itself; a writer finishes its step.
        for (let count = 0; !runner.over && count < 1_000; count++) {
          if (runner.points[0]?.kind === 'lock') runner.points.shift()
          if (runner.points.length > 0) await scheduler.advance(runner)
          else await scheduler.waitUntilParked(runner)
        }
      }
    },
    async close() {
      for (const runner of runners) await scheduler.kill(runner)
    },
  }
  return scheduler
}

/** A socket that closes as soon as it is used. */
function createClosingSocket(): Duplex {
  const [socket] = duplexPair()
  setImmediate(() => socket.destroy())
  return socket
}

/** A follower that neither continues nor fails. */
class StuckError extends Error {
  override name = 'StuckError'

  constructor({ name }: Runner) {
    super(`${name} did not reach its next point in ${longestTurn} ms.`)
  }
}
