import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/** The result of a load test. */
export interface Load {
  perSecond: number
  p50Ms: number
  p99Ms: number
}

/** Requests a URL over 32 connections for `seconds`. Throws if an answer is not a success. */
export async function runWrk(url: string, seconds: number, flags: readonly string[] = []): Promise<Load> {
  const { stdout } = await promisify(execFile)('wrk', ['-t1', '-c32', `-d${seconds}s`, '--latency', ...flags, url])
  if (/Non-2xx|Socket errors/.test(stdout)) throw new Error(`Not every request was answered:\n${stdout}`)
  const perSecond = Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1])
  if (!(perSecond > 0)) throw new Error(`No request was answered:\n${stdout}`)
  return { perSecond, p50Ms: parseLatency(stdout, '50%'), p99Ms: parseLatency(stdout, '99%') }
}

function parseLatency(text: string, share: string): number {
  const [, number, unit] = new RegExp(`${share}\\s+([\\d.]+)(us|ms|s)`).exec(text) ?? []
  return Number(number) * ({ us: 0.001, ms: 1, s: 1000 }[unit ?? ''] ?? Number.NaN)
}
