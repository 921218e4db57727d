import { setTimeout as wait } from 'node:timers/promises'
import {
  createBuild,
  createRegistry,
  dropOldGenerations,
  findNextRebuild,
  type Generation,
  getSchemaName,
  getServingBuild,
  hasWriter,
  listGenerations,
  marketNumber,
  type RowDifference,
  saveServed,
  saveUseless,
  serveBuild,
  startGeneration,
} from '@svc/index'
import { type Market, markets } from '@svc/protocol'
import { createLogThrottle, getErrorMessage, type Log } from '@svc/serve'
import type { Sql } from 'postgres'

/** A serving build without a writer for so long is abandoned: longer than a restart, and as old as a served block may be. */
const abandonedMs = 30_000

/** Between two looks that are further apart than this, the serving build may have had a writer. */
const maxLookGapMs = 10_000

/** What became of builds beside the serving one. */
export const rebuildOutcomes = ['started', 'served', 'useless', 'postponed'] as const
export type RebuildOutcome = (typeof rebuildOutcomes)[number]

/** A build that this process follows. */
export interface RunningBuild {
  stop: () => Promise<void>
}

export interface SupervisorOptions {
  sql: Sql
  /** The name that operators give: the first build has it, later ones have a number as well. */
  name: string
  /** The fingerprint of the fold that this process runs. */
  fingerprint: string
  /** Starts to follow the chain into a build. */
  start: (build: string) => RunningBuild
  /** Compares a complete build with contract storage. Throws if that is not possible now. */
  compare: (build: string) => Promise<readonly RowDifference[]>
  log: Pick<Log, 'info' | 'warn' | 'error'>
  onRebuild?: (outcome: RebuildOutcome) => void
  /** Called when readers see another build than before. */
  onServing?: (build: string | null) => void
  pollMs?: number
  now?: () => number
}

/**
 * Decides which builds to follow: the newest that this fold filled and that served, and one that is being filled to replace it.
 * Returns neither if this fold has none.
 */
export function chooseBuilds(generations: readonly Generation[], fingerprint: string) {
  const sameFold = generations.filter((each) => each.fingerprint === fingerprint && each.state !== 'useless')
  const current =
    sameFold.findLast(({ state }) => state === 'served') ??
    sameFold.findLast(({ state }) => state === 'replaced') ??
    sameFold.findLast(({ state }) => state === 'filling')
  const next = sameFold.findLast(({ state, number }) => state === 'filling' && number > (current?.number ?? 0))
  return { current: current?.build ?? null, next: next?.build ?? null }
}

/**
 * Decides whether a complete build may take the place of the one that serves. Within a fold, a new build replaces an older one. A
 * fold that is newer than the serving one takes over once. After that, and if it is older, it waits until nobody writes the
 * serving build: two versions that run at the same time must not replace each other in turn.
 */
export function mayTakeOver(
  generations: readonly Generation[],
  { fingerprint, state }: Pick<Generation, 'fingerprint' | 'state'>,
  serving: string | null,
  isAbandoned: boolean,
): boolean {
  if (serving === null || isAbandoned) return true
  const served = generations.find(({ build }) => build === serving)
  if (served?.fingerprint === fingerprint) return state === 'filling'
  const sameFold = generations.filter((each) => each.fingerprint === fingerprint)
  const first = generations.find((each) => each.fingerprint === served?.fingerprint)
  const isNewer = (sameFold[0]?.number ?? 0) > (first?.number ?? 0)
  return isNewer && sameFold.every((each) => each.state === 'filling' || each.state === 'useless')
}

/**
 * Keeps the right builds filled, without a person: a build of its own for a changed fold, and a new one beside a build whose rows
 * stay wrong. The new one takes over when it is complete and equals contract storage. A build that was replaced returns when
 * nobody writes the one that serves. Processes agree through the list of generations.
 */
export function createBuildSupervisor(options: SupervisorOptions) {
  const { sql, name, fingerprint, start, compare, log, onRebuild, onServing, pollMs = 500, now = Date.now } = options
  const running = new Map<string, RunningBuild>()
  /** The block at which each market of a build reached the head in this process. */
  const reached = new Map<string, Map<Market, bigint>>()
  const reported = new Map<string, 'serving' | 'replaced'>()
  const throttle = createLogThrottle(10_000, now)
  let current: string | null = null
  let serving: string | null = null
  /** Since when this process has seen no writer of the serving build, and when it looked last. */
  let unwritten: { since: number; seen: number } | null = null

  const setServing = (build: string | null) => {
    if (build === serving) return
    serving = build
    unwritten = null
    onServing?.(build)
  }

  /** Looks which build serves, and for how long nobody has written it. */
  async function watchServing(): Promise<void> {
    setServing(await getServingBuild(sql))
    if (serving === null || running.has(serving) || (await hasWriter(sql, serving))) {
      unwritten = null
      return
    }
    const since = unwritten && now() - unwritten.seen <= maxLookGapMs ? unwritten.since : now()
    unwritten = { since, seen: now() }
  }

  const isAbandoned = () => unwritten !== null && now() - unwritten.since >= abandonedMs

  const report = (build: string, outcome: 'serving' | 'replaced') => {
    if (reported.get(build) !== outcome) log.info({ build, ...(outcome === 'replaced' && { serving }) }, outcome)
    reported.set(build, outcome)
  }

  /** Creates what is missing, and follows what must be followed. */
  async function followBuilds(): Promise<void> {
    let builds = chooseBuilds(await listGenerations(sql, name), fingerprint)
    if (!builds.current) {
      const known = await listGenerations(sql, name)
      const reason = known.length === 0 ? 'there was none' : 'the fold changed'
      const made = await startGeneration(
        sql,
        { name, fingerprint, reason, now: Math.floor(now() / 1000) },
        // A changed fold need not wait, unless its build was useless before.
        { wait: known.some((each) => each.fingerprint === fingerprint) },
      )
      if (made && known.length > 0) announce(made)
      builds = chooseBuilds(await listGenerations(sql, name), fingerprint)
    }
    current = builds.current
    const wanted = [builds.current, builds.next].filter((build) => build !== null)
    for (const [build, each] of running) {
      if (wanted.includes(build)) continue
      running.delete(build)
      reached.delete(build)
      await each.stop()
    }
    for (const build of wanted) {
      if (running.has(build)) continue
      await createBuild(sql, build)
      running.set(build, start(build))
    }
  }

  const announce = ({ build, reason }: Generation) => {
    log.warn({ build, reason }, 'a new build is filled')
    onRebuild?.('started')
  }

  /** Whether a build has caught up in every market. Another process may write some of them: then their cursors decide. */
  async function isComplete(build: string): Promise<boolean> {
    const reachedMarkets = reached.get(build)
    if (!reachedMarkets || reachedMarkets.size === markets.length) return reachedMarkets !== undefined
    const [block = 0n] = reachedMarkets.values()
    const rows = await sql<{ market: number }[]>`
      select market from ${sql(getSchemaName(build))}.cursor where number >= ${String(block)}`
    return markets.every(
      (market) => reachedMarkets.has(market) || rows.some((row) => row.market === marketNumber(market)),
    )
  }

  /** Lets a build serve once it has caught up in every market and equals contract storage. */
  async function promote(build: string): Promise<void> {
    if (serving === build && reported.get(build) === 'serving') return
    if (!(await isComplete(build))) return
    const known = await listGenerations(sql, name)
    const generation = known.find((each) => each.build === build)
    if (!generation) return
    if (serving !== build) {
      if (!mayTakeOver(known, generation, serving, isAbandoned())) return report(build, 'replaced')
      const differences = await compare(build)
      if (differences.length > 0) return reject(generation, differences)
      // The indexer of an abandoned build may have started while this one was compared.
      if (serving !== null && isAbandoned() && (await hasWriter(sql, serving))) return
      await serveBuild(sql, build)
      if (isAbandoned()) log.warn({ build, before: serving }, 'nobody wrote the serving build, so this one took over')
      setServing(build)
    }
    await saveServed(sql, name, build)
    report(build, 'serving')
    if (generation.number > 1 && generation.state === 'filling') onRebuild?.('served')
    const dropped = await dropOldGenerations(sql, name)
    if (dropped.length > 0) log.info({ builds: dropped }, 'dropped')
  }

  /** Does not let a build serve whose rows differ. One that has served before is compared again a while later. */
  async function reject({ build, reason, state }: Generation, differences: readonly RowDifference[]): Promise<void> {
    log.error({ build, reason, differences }, 'the build differs from contract storage, so it does not serve')
    unwritten = null
    if (state !== 'filling') return
    await saveUseless(sql, build)
    onRebuild?.('useless')
  }

  /** Fills a new build beside the serving one, unless that is done already or was done a short while ago. */
  async function requestRebuild(build: string, reason: string): Promise<void> {
    if (build !== current) return
    const before = await listGenerations(sql, name)
    if (!mayTakeOver(before, { fingerprint, state: 'filling' }, serving, isAbandoned())) return
    const seconds = Math.floor(now() / 1000)
    const made = await startGeneration(sql, { name, fingerprint, reason, now: seconds })
    if (!made) {
      const minutes = Math.ceil((findNextRebuild(before, seconds) - seconds) / 60)
      log.warn({ build, reason, minutes }, 'the next rebuild must wait')
      onRebuild?.('postponed')
    } else if (!before.some((each) => each.build === made.build)) announce(made)
  }

  /** Does what is due: follows builds, lets a complete one serve, and then stops to follow the one it replaces. */
  async function update(): Promise<void> {
    await watchServing()
    await followBuilds()
    for (const build of running.keys()) await promote(build)
    await followBuilds()
  }

  return {
    /** The build that this process speaks for. */
    current: () => current,
    /** Whether this process writes a build, or will if its writer stops. */
    follows: (build: string) => running.has(build),
    /** Prepares the tables. Throws if the database is not there yet. */
    async prepare(): Promise<void> {
      await createRegistry(sql)
      await followBuilds()
    },
    update,
    /** A build reached the head of a market. */
    caughtUp(build: string, market: Market, block: bigint): void {
      const known = reached.get(build) ?? new Map<Market, bigint>()
      if (!known.has(market)) known.set(market, block)
      reached.set(build, known)
    },
    requestRebuild,
    /**
     * A build cannot go on. One that has served is replaced by a new build. One that has not is given up, so that another can be
     * started: otherwise it would be waited for without end.
     */
    async replaceBuild(build: string, reason: string): Promise<void> {
      const generation = (await listGenerations(sql, name)).find((each) => each.build === build)
      if (generation?.state !== 'filling') return requestRebuild(build, reason)
      await saveUseless(sql, build)
      log.error({ build, reason }, 'the new build cannot be completed')
      onRebuild?.('useless')
    },
    /** Follows the list of generations until stopped. */
    async run(signal: AbortSignal): Promise<void> {
      while (!signal.aborted) {
        try {
          await update()
        } catch (error) {
          const times = throttle.shouldLog('update')
          const err = getErrorMessage(error as Error)
          if (times !== null) log.warn({ times, err }, 'cannot switch readers to the build yet, retrying')
        }
        await wait(pollMs, undefined, { signal }).catch(() => {})
      }
      await Promise.all([...running.values()].map((each) => each.stop()))
    },
  }
}
