/** Calls that take about as long: headers; reads of state; the logs of one block; the logs of a range, or all of a block. */
export type CallKind = TimedKind | 'range'
type TimedKind = 'light' | 'call' | 'logs'

/** How well a provider answers, learned from its calls. */
export interface RpcHealth {
  /** 0: as usual; 1: slow, or its last call got no answer; 2: silent, or it asked to be left alone. A lower rank is asked first. */
  rank: () => 0 | 1 | 2
  /** How long the next call may take. */
  timeoutMs: (kind: CallKind) => number
  /** If nothing arrives for this long, another provider should be asked as well. */
  hedgeMs: () => number
  /** Whether a call has waited longer than that for its answer. */
  isOverdue: () => boolean
}

/** The part of `RpcHealth` that calls report to. */
export interface RecordedHealth extends RpcHealth {
  /** A call is sent. Returns the functions of which one is called when it ends. */
  begin: (kind: CallKind) => { answered: () => void; failed: (why: 'silent' | 'timeout') => void; dropped: () => void }
}

export interface RpcHealthOptions {
  /** The longest timeout, which is that of a range of logs. */
  limitMs: number
  /** Whether another provider can be asked instead. If not, every call may take as long as the longest. */
  hasAlternative: boolean
  /** Whether the provider asked to be left alone. */
  isHeld: () => boolean
  /** Makes one small call, to find out whether the provider answers again. */
  probe: () => Promise<unknown>
  /** Called when the provider becomes silent, and when it answers again. */
  onSilent?: ((isSilent: boolean) => void) | undefined
  now?: (() => number) | undefined
  /** From 0 to 1, for jitter. */
  random?: (() => number) | undefined
}

/** The shortest timeout, and the longest while answers are fast. */
const bounds = { light: [1_000, 4_000], call: [2_000, 8_000], logs: [1_000, 8_000] } as const
const [minHedgeMs, maxHedgeMs] = [100, 1_000]
/** Calls without an answer in a row until a provider counts as silent. */
const maxSilent = 2
/** A provider with slower answers is asked after the others. */
const slowMs = 1_000
const [firstProbeMs, lastProbeMs] = [1_000, 15_000]
/** The answers that count: the newest of the last minute. */
const [sampleSize, sampleMs] = [64, 60_000]
/** How long the result of these answers is used. */
const refreshMs = 100

/**
 * Learns from the calls of a provider how long the next ones may take. A timeout is four times what 95 of 100 answers take, and
 * doubles while calls time out, so that it adapts to a provider that has become slow. A provider that is silent or slow is probed
 * in the background: no reader has to wait to find out that it is well again.
 */
export function createRpcHealth(options: RpcHealthOptions): RecordedHealth {
  const { limitMs, hasAlternative, isHeld, probe, onSilent, now = Date.now, random = Math.random } = options
  const samples: Record<TimedKind, Sample[]> = { light: [], call: [], logs: [] }
  const slowest: Record<TimedKind, { ms: number | null; until: number }> = {
    light: { ms: null, until: 0 },
    call: { ms: null, until: 0 },
    logs: { ms: null, until: 0 },
  }
  const timeouts: Record<TimedKind, number> = { light: 0, call: 0, logs: 0 }
  /** When each call that waits for its answer was sent. */
  const waiting = new Set<{ sent: number }>()
  let [silent, isSilent, isProbing] = [0, false, false]

  /** Returns the time that 95 of 100 answers take; null if there were none lately. */
  const findSlowest = (kind: TimedKind): number | null => {
    const known = slowest[kind]
    // Asked for several times at every call.
    if (now() < known.until) return known.ms
    const oldest = now() - sampleMs
    const recent = samples[kind].filter(({ at }) => at > oldest).map(({ ms }) => ms)
    const ms = recent.sort((a, b) => a - b)[Math.floor(0.95 * recent.length)] ?? null
    slowest[kind] = { ms, until: now() + refreshMs }
    return ms
  }
  const findTimeout = (kind: TimedKind): number => {
    const [min, max] = bounds[kind]
    const slowest = findSlowest(kind)
    return slowest === null ? 2 * min : clamp(4 * slowest, min, Math.max(max, 1.5 * slowest))
  }
  const isSlow = () => (findSlowest('light') ?? 0) > slowMs
  const rank = () => (isSilent || isHeld() ? 2 : silent > 0 || isSlow() ? 1 : 0)
  const hedgeMs = () => clamp(1.5 * (findSlowest('call') ?? findSlowest('light') ?? maxHedgeMs), minHedgeMs, maxHedgeMs)

  async function keepProbing(): Promise<void> {
    if (isProbing) return
    isProbing = true
    for (let ms = firstProbeMs; rank() > 0; ms = Math.min(lastProbeMs, 2 * ms)) {
      await new Promise((resolve) => setTimeout(resolve, ms * (0.75 + random() / 2)).unref())
      await probe().catch(() => {})
    }
    isProbing = false
  }

  return {
    rank,
    hedgeMs,
    isOverdue: () => {
      const latest = performance.now() - hedgeMs()
      return [...waiting].some(({ sent }) => sent <= latest)
    },
    timeoutMs: (kind) =>
      kind === 'range' || !hasAlternative
        ? limitMs
        : Math.min(limitMs, Math.ceil(findTimeout(kind) * 2 ** Math.min(2, timeouts[kind]))),
    begin(kind) {
      const call = { sent: performance.now() }
      // A range of logs may take long, so it says nothing about other calls.
      if (kind !== 'range') waiting.add(call)
      const end = () => waiting.delete(call)
      return {
        dropped: end,
        answered() {
          end()
          silent = 0
          if (isSilent) {
            isSilent = false
            onSilent?.(false)
          }
          if (kind === 'range') return
          const ms = performance.now() - call.sent
          // An answer that needed the longer timeout does not end it.
          if (ms <= findTimeout(kind)) timeouts[kind] = 0
          samples[kind].push({ ms, at: now() })
          if (samples[kind].length > sampleSize) samples[kind].shift()
          if (isSlow()) void keepProbing()
        },
        failed(why) {
          end()
          if (why === 'timeout') {
            // A range that takes too long is too wide; the provider may well answer other calls.
            if (kind === 'range') return
            timeouts[kind]++
          }
          silent++
          void keepProbing()
          if (silent < maxSilent || isSilent) return
          isSilent = true
          onSilent?.(true)
        },
      }
    },
  }
}

interface Sample {
  ms: number
  at: number
}

const clamp = (value: number, min: number, max: number): number => Math.min(max, Math.max(min, value))
