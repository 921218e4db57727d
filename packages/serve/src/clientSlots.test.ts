import { expect, test } from 'vitest'
import { type ClientSlots, createClientSlots } from './clientSlots.ts'

/** Takes slots for a client until one is refused; the number taken, and why the next one was refused. */
function takeAll(slots: ClientSlots, client: string, onEvict = () => {}) {
  for (let taken = 0; ; taken++) {
    const slot = slots.take(client, onEvict)
    if (typeof slot === 'string') return { taken, refused: slot }
  }
}

test('a client and the networks around it have their own limits', () => {
  const slots = createClientSlots({ total: 10_000, perClient: 5 })
  const spend = (clients: readonly string[]) =>
    clients.reduce((sum, client) => {
      const { taken, refused } = takeAll(slots, client)
      expect(refused).toBe('client')
      return sum + taken
    }, 0)
  const hosts = Array.from({ length: 256 }, (_, host) => host)
  expect(spend(['198.51.100.1'])).toBe(5)
  expect(spend(hosts.map((host) => `203.0.113.${host}`)), 'one /24').toBe(80)
  expect(spend(hosts.map((host) => `2001:db8:1:${host.toString(16)}::/64`)), 'one /56').toBe(20)
  expect(spend(hosts.map((host) => `2001:db8:2:${host.toString(16)}00::/64`)), 'one /48').toBe(80)
  expect(spend(['192.0.2.1', '2001:db8:3:1::/64']), 'others').toBe(10)
})

test('a freed slot can be taken again, once', () => {
  const slots = createClientSlots({ total: 10, perClient: 1 })
  const free = slots.take('192.0.2.1', () => {})
  if (typeof free === 'string') return expect.unreachable(free)
  expect(slots.take('192.0.2.1', () => {})).toBe('client')
  free()
  free()
  expect(slots.count()).toBe(0)
  expect(takeAll(slots, '192.0.2.1')).toEqual({ taken: 1, refused: 'client' })
})

test('when all slots are taken, the largest network gives some up until the others have as many', () => {
  const slots = createClientSlots({ total: 10, perClient: 10 })
  const evicted: string[] = []
  for (const turn of [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]) slots.take('192.0.2.1', () => evicted.push(`first ${turn}`))
  expect(
    slots.take('192.0.2.2', () => {}),
    'a neighbour is of the same network',
  ).toBe('full')
  expect(takeAll(slots, '198.51.100.1')).toEqual({ taken: 5, refused: 'full' })
  expect(evicted, 'the newest first').toEqual(['first 10', 'first 9', 'first 8', 'first 7', 'first 6'])
  expect(slots.count()).toBe(10)
  expect(takeAll(slots, '192.0.2.1'), 'who gave up does not push back').toEqual({ taken: 0, refused: 'full' })
})
