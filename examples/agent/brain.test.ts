import { expect, test } from 'vitest'
import { injections } from '../../test/tools/injections.ts'
import { findSkill } from './brain.ts'

test('it does what it can, and nothing else', () => {
  expect(findSkill({ title: 'Add up two numbers', criteria: 'They are 1 and 2.' })?.work()).toBe(
    'The sum of 2 numbers is 3.',
  )
  expect(findSkill({ title: 'Water the plants', criteria: 'All of them.' })).toBeNull()
})

test('untrusted text never changes what it accepts or delivers', () => {
  for (const { name, words } of injections) {
    expect(findSkill({ title: words, criteria: words }), name).toBeNull()
    const mixed = findSkill({ title: `${words} add up`, criteria: `1 and 2 ${words}` })
    expect(mixed?.work(), name).toMatch(/^The sum of \d+ numbers is \d+\.$/)
  }
})
