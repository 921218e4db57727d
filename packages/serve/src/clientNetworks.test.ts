import { describe, expect, test } from 'vitest'
import { findWidestNetwork, listNetworks, parseClientAddress, toClient } from './clientNetworks.ts'

test.each([
  ['203.0.113.9', '203.0.113.9'],
  ['203.0.113.9:51423', '203.0.113.9'],
  ['2001:db8::1', '2001:db8:0:0:0:0:0:1'],
  ['[2001:DB8::1]', '2001:db8:0:0:0:0:0:1'],
  ['[2001:0db8::1]:443', '2001:db8:0:0:0:0:0:1'],
  ['::1', '0:0:0:0:0:0:0:1'],
  ['fe80::1%eth0', 'fe80:0:0:0:0:0:0:1'],
  ['::ffff:203.0.113.9', '203.0.113.9'],
  ['::ffff:cb00:7109', '203.0.113.9'],
  ['[::ffff:203.0.113.9]:80', '203.0.113.9'],
  ['64:ff9b::203.0.113.9', '64:ff9b:0:0:0:0:cb00:7109'],
])('the address of %s is %s', (text, address) => {
  expect(parseClientAddress(text)).toBe(address)
})

test.each([
  '',
  'unknown',
  '203.0.113',
  '203.0.113.9:',
  '203.0.113.9:x',
  '203.0.113.999',
  '[203.0.113.9',
  '[]:80',
  '::1::',
])('%j is not an address', (text) => {
  expect(parseClientAddress(text)).toBeNull()
})

describe('the networks of a client', () => {
  const list = (text: string) => listNetworks(toClient(parseClientAddress(text) ?? ''))

  test('are its address and /24, or its /64, /56 and /48', () => {
    expect(list('203.0.113.9')).toEqual(['203.0.113.9', '203.0.113.0/24'])
    expect(list('2001:db8:1:abcd::7')).toEqual(['2001:db8:1:abcd::/64', '2001:db8:1:ab00::/56', '2001:db8:1::/48'])
    expect(list('::1')).toEqual(['0:0:0:0::/64', '0:0:0:0::/56', '0:0:0::/48'])
    expect(list('')).toEqual([''])
  })

  test('are the same for neighbours, and never for others', () => {
    expect(list('2001:db8:1:ab00::1')[1]).toBe(list('2001:db8:1:abff::1')[1])
    expect(list('2001:db8:1:ac00::1')[1]).not.toBe(list('2001:db8:1:abff::1')[1])
    expect(findWidestNetwork('2001:db8:1:1::/64')).toBe(findWidestNetwork('2001:db8:1:ffff::/64'))
    expect(findWidestNetwork('2001:db8:1:1::/64')).not.toBe(findWidestNetwork('2001:db8:2:1::/64'))
  })
})
