import { expect, test } from 'vitest'
import { createRateLimit, type RateLimit } from './rateLimit.ts'

const takeAll = (limit: RateLimit, client: string): number => {
  let granted = 0
  while (limit.take(client) >= 0) granted++
  return granted
}

test('counts over a sliding minute', () => {
  let now = 0
  const limit = createRateLimit({ perMinute: 60, now: () => now })
  for (let index = 0; index < 60; index++) expect(limit.take('198.51.100.1')).toBe(59 - index)
  expect(limit.take('198.51.100.1')).toBeLessThan(0)
  now = 60_000
  expect(limit.take('198.51.100.1'), 'all of the last minute still counts').toBeLessThan(0)
  now = 90_000
  expect(takeAll(limit, '198.51.100.1')).toBe(30)
  now = 300_000
  expect(limit.take('198.51.100.1')).toBe(59)
})

test('remembers a client while 200,000 other addresses send requests, and hardly counts them as its own', () => {
  const limit = createRateLimit({ perMinute: 100, now: () => 0 })
  expect(takeAll(limit, '198.51.100.1')).toBe(100)
  for (let index = 0; index < 200_000; index++) {
    limit.take(`${1 + (index >> 16)}.${(index >> 8) & 255}.${index & 255}.7`)
  }
  expect(limit.take('198.51.100.1')).toBeLessThan(0)
  expect(takeAll(limit, '203.0.113.1')).toBeGreaterThan(90)
})

test('a network has a few allowances, however many addresses it has', () => {
  const limit = createRateLimit({ perMinute: 10, now: () => 0 })
  const spend = (clients: readonly string[]) => clients.reduce((sum, client) => sum + takeAll(limit, client), 0)
  const subnets = (count: number, build: (hex: string) => string) =>
    Array.from({ length: count }, (_, index) => build(index.toString(16)))
  expect(spend(subnets(256, (hex) => `2001:db8:1:${hex}::/64`)), 'one /56').toBe(40)
  expect(spend(subnets(65_536, (hex) => `2001:db8:2:${hex}::/64`)), 'one /48').toBe(160)
  expect(spend(subnets(256, (hex) => `203.0.113.${Number.parseInt(hex, 16)}`)), 'one /24').toBe(160)
  expect(spend(['2001:db8:3:0::/64', '192.0.2.1']), 'others').toBe(20)
})
