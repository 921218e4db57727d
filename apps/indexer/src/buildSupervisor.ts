import { setTimeout as wait } from 'node:timers/promises'
import {
  createBuild,
  createRegistry,
  dropOldGenerations,
  findNextRebuild,
  type Generation,
  listGenerations,
  saveServed,
  saveUseless,
  startGeneration,
} from '@svc/index'
import { type Market, markets } from '@svc/protocol'
import { createLogThrottle, getErrorMessage } from '@svc/serve'
import type { Logger } from 'pino'
import type { Sql } from 'postgres'
import { promoteBuild } from './promoteBuild.ts'

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
  /** Returns whether a complete build has right what is wrong in the one that serves. */
  isBetter: (build: string) => Promise<boolean>
  log: Pick<Logger, 'info' | 'warn' | 'error'>
  onRebuild?: (outcome: 'started' | 'served' | 'useless' | 'postponed') => void
  pollMs?: number
  now?: () => number
}

/**
 * Decides which builds to follow: the newest that this fold filled and that served, and one that is being filled to replace it.
 * Returns neither if this fold has none.
 */
export function chooseBuilds(generations: readonly Generation[], fingerprint: string) {
  const own = generations.filter((each) => each.fingerprint === fingerprint && each.state !== 'useless')
  const current =
    own.findLast(({ state }) => state === 'served') ??
    own.findLast(({ state }) => state === 'replaced') ??
    own.findLast(({ state }) => state === 'filling')
  const next = own.findLast(({ state, number }) => state === 'filling' && number > (current?.number ?? 0))
  return { current: current?.build ?? null, next: next?.build ?? null }
}

/**
 * Keeps the right builds filled, without a person: a build of its own for a changed fold, and a new one beside a build whose rows
 * stay wrong. The new one takes over when it is complete and better. Processes agree through the list of generations.
 */
export function createBuildSupervisor(options: SupervisorOptions) {
  const { sql, name, fingerprint, start, isBetter, log, onRebuild, pollMs = 500, now = Date.now } = options
  const running = new Map<string, RunningBuild>()
  const reached = new Map<string, Set<Market>>()
  const decided = new Set<string>()
  const throttle = createLogThrottle(10_000, now)
  let current: string | null = null

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

  /** Lets a build serve once it has caught up in every market. */
  async function promote(build: string): Promise<void> {
    if (decided.has(build) || (reached.get(build)?.size ?? 0) < markets.length) return
    const generation = (await listGenerations(sql, name)).find((each) => each.build === build)
    if (generation?.state === 'filling' && !(await isBetter(build))) {
      decided.add(build)
      await saveUseless(sql, build)
      log.error({ build, reason: generation.reason }, 'the new build has the same fault, so it does not serve')
      return onRebuild?.('useless')
    }
    const outcome = await promoteBuild(sql, build)
    decided.add(build)
    log.info({ build }, outcome)
    if (outcome !== 'serving') return
    await saveServed(sql, name, build)
    if (generation && generation.number > 1 && generation.state === 'filling') onRebuild?.('served')
    const dropped = await dropOldGenerations(sql, name)
    if (dropped.length > 0) log.info({ builds: dropped }, 'dropped')
  }

  /** Fills a new build beside the serving one, unless that is done already or was done a short while ago. */
  async function requestRebuild(build: string, reason: string): Promise<void> {
    if (build !== current) return
    const before = await listGenerations(sql, name)
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
    await followBuilds()
    for (const build of running.keys()) await promote(build)
    await followBuilds()
  }

  return {
    /** The build that this process speaks for. */
    current: () => current,
    /** Prepares the tables. Throws if the database is not there yet. */
    async prepare(): Promise<void> {
      await createRegistry(sql)
      await followBuilds()
    },
    update,
    /** A build reached the head of a market. */
    caughtUp(build: string, market: Market): void {
      const known = reached.get(build)
      if (known) known.add(market)
      else reached.set(build, new Set([market]))
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
