import type { Random } from '@svc/simulation/random'

/** Names that every object inherits. */
export const protoNames = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'valueOf',
  '__defineGetter__',
]

const texts = [
  '',
  ' ',
  '0',
  '-1',
  '1e9',
  '1.5',
  '00',
  '0x',
  'NaN',
  'Infinity',
  'null',
  'undefined',
  'true',
  '[object Object]',
  '9'.repeat(15),
  '9'.repeat(16),
  '9'.repeat(78),
  '9'.repeat(400),
  '18446744073709551616',
  'v2:standard:0',
  'v2:standard:00001',
  `v2:micro:${'9'.repeat(78)}`,
  `v2:micro:${'9'.repeat(79)}`,
  'v2:micro:1:2',
  'v1:micro:1',
  'V2:MICRO:1',
  '1:1',
  '0:0',
  '999999999999999:2147483647',
  '1:4294967296',
  '-1:-1',
  `0x${'0'.repeat(40)}`,
  `0x${'f'.repeat(40)}`,
  `0X${'a'.repeat(40)}`,
  `0x${'g'.repeat(40)}`,
  `0x${'a'.repeat(39)}`,
  `0x${'a'.repeat(41)}`,
  `0x${'0'.repeat(64)}`,
  `0x${'F'.repeat(64)}`,
  `0x${'a'.repeat(63)}`,
  'standard',
  'micro',
  'Standard',
  'standard ',
  'standard\0',
  'free',
  'basic',
  'pro',
  'tok',
  'usdc',
  "' or 1=1 --",
  '"; drop table market.task; --',
  '%s%n%d',
  '{{7*7}}',
  '../../../etc/passwd',
  '<script>alert(1)</script>',
  '\r\nX-Injected: 1',
  '\n\nHTTP/1.1 200 OK\n\n',
  '\0',
  '\u202e\u2066',
  '\u200b',
  '\ufeff',
  '\ud83d\ude00'.repeat(20),
  'é',
  'e\u0301',
  '٣',
  '１００',
  'ß'.repeat(200),
  'Z\u0351\u036b\u0343\u036a'.repeat(30),
  '\ud800',
  'a'.repeat(3_000),
] as const

/** Draws a text that no route expects. */
export function drawNastyText(random: Random): string {
  return random.chance(0.15) ? random.pick(protoNames) : random.pick(texts)
}

/** Draws a JSON value of a wrong type. */
export function drawNastyValue(random: Random, depth = 0): unknown {
  const kind = random.below(depth > 3 ? 7 : 11)
  if (kind < 3) return drawNastyText(random)
  if (kind === 3) return random.pick([0, -1, 1.5, 1e308, -0, 2 ** 53, Number.MAX_SAFE_INTEGER])
  if (kind === 4) return null
  if (kind === 5) return random.chance(0.5)
  if (kind === 6) return []
  if (kind === 7) return {}
  if (kind === 8) return Array.from({ length: random.below(50) }, () => drawNastyValue(random, depth + 1))
  if (kind === 9) return { toString: drawNastyText(random), valueOf: 1, length: 1e9 }
  return Object.fromEntries(
    Array.from({ length: random.below(5) }, () => [drawNastyText(random), drawNastyValue(random, depth + 1)]),
  )
}
