import { expect, test, vi } from 'vitest'
import { createDoubts, type PublishDoubt } from './doubts.ts'

test('only the doubts of the build that serves are published, and those of the next one when it takes over', () => {
  const publish = vi.fn<PublishDoubt>()
  const doubts = createDoubts(publish)
  doubts.show('a', 'micro')
  doubts.change('a', 'micro', 'provider 1', 'omits logs')
  doubts.change('a_2', 'micro', 'provider 2', 'is on another branch')
  expect(publish.mock.calls).toEqual([['micro', 'provider 1', 'omits logs']])

  publish.mockClear()
  doubts.show('a_2', 'micro')
  doubts.show('a_2', 'micro')
  expect(publish.mock.calls).toEqual([
    ['micro', 'provider 1', null],
    ['micro', 'provider 2', 'is on another branch'],
  ])

  publish.mockClear()
  doubts.change('a', 'micro', 'provider 2', null)
  doubts.forget('a', 'micro')
  expect(publish).not.toHaveBeenCalled()
  doubts.forget('a_2', 'micro')
  expect(publish.mock.calls).toEqual([['micro', 'provider 2', null]])
})
