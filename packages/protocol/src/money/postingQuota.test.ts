import { expect, test } from 'vitest'
import { actionList } from '../actions/index.ts'
import { describeQuotaRefusal, formatQuotaUse, isCountedPost } from './postingQuota.ts'

const whose = { market: 'micro', wallet: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266' } as const

test('a refusal says what is used, and names the next larger plan', () => {
  const free = { tier: 'free', used: 3, limit: 3, canPost: false } as const
  expect(describeQuotaRefusal(free, { ...whose, plansUrl: 'https://market.example/plans?market=micro' })).toEqual({
    error: 'The daily posting limit is reached: 3 of 3 posts used today on the free plan.',
    hint: `Buy a plan at https://market.example/plans?market=micro or with "svc-prepare buy-plan --market micro --tier basic --pay-with usdc --from ${whose.wallet}". It applies at once. The count starts again at midnight UTC.`,
  })
  expect(describeQuotaRefusal(free, whose).hint).toMatch(/^Buy a plan with "svc-prepare buy-plan /)
  const basic = { tier: 'basic', used: 25, limit: 25, canPost: false } as const
  expect(describeQuotaRefusal(basic, whose).hint).toContain('--tier pro')
  const pro = { tier: 'pro', used: 201, limit: 200, canPost: false } as const
  expect(describeQuotaRefusal(pro, whose).error).toContain('201 posts today, 200 allowed')
  expect(describeQuotaRefusal(pro, whose).hint).toBe('The count starts again at midnight UTC.')
})

test('only open posts count', () => {
  expect(actionList.map(({ name }) => name).filter(isCountedPost)).toEqual(['post-task'])
  expect(formatQuotaUse({ used: 2, limit: 3 })).toBe('2 of 3 posts used today')
})
