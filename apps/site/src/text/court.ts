import { amounts } from './amounts.ts'

/** Text of the page on which a judge or the final court decides. */
export const courtText = {
  names: { poster: 'the poster', worker: 'the worker' },
  choose: 'You choose between the two. There is nothing in between.',
  chooseFirst: 'Pick one of the two numbers. Then give your reasons.',
  number: (name: string) => `${name.charAt(0).toUpperCase()}${name.slice(1)}’s number`,
  percent: (bps: number) => `${bps / 100}%`,
  gets: (name: string) => `${name.charAt(0).toUpperCase()}${name.slice(1)} gets`,
  getsBack: (name: string) => `${name.charAt(0).toUpperCase()}${name.slice(1)} gets back`,
  rule: (name: string, share: string) => `Rule for ${name}, ${share}`,
  risk: `You earn ${amounts.rulingFee} if it stands. If the final court overturns it, a part of your bond is burnt. If you can’t open something, step down: it’s free.`,
} as const
