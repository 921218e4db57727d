import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/** What a load of many clients got. */
export interface Load {
  perSecond: number
  p50Ms: number
  p99Ms: number
}

/** Asks a URL over 32 connections for so many seconds. Throws when an answer was no success. */
export async function wrk(url: string, seconds: number, flags: readonly string[] = []): Promise<Load> {
  const { stdout } = await promisify(execFile)('wrk', ['-t1', '-c32', `-d${seconds}s`, '--latency', ...flags, url])
  if (/Non-2xx|Socket errors/.test(stdout)) throw new Error(`Not every request was answered:\n${stdout}`)
  const perSecond = Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1])
  if (!(perSecond > 0)) throw new Error(`Nothing was answered:\n${stdout}`)
  return { perSecond, p50Ms: latency(stdout, '50%'), p99Ms: latency(stdout, '99%') }
}

function latency(text: string, share: string): number {
  const [, number, unit] = new RegExp(`${share}\\s+([\\d.]+)(us|ms|s)`).exec(text) ?? []
  return Number(number) * ({ us: 0.001, ms: 1, s: 1000 }[unit ?? ''] ?? Number.NaN)
}
