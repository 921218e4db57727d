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
  risk: {
    title: 'What is at stake for you',
    earns: ['You earn', 'if it stands'],
    locks: ['You locked', 'until it closes'],
    loses: ['If overturned', 'of your bond burnt'],
    wayOut: 'Can’t open something? Step down: it’s free. After a ruling, the loser can appeal to the final court.',
  },
} as const
