import type { Exemption } from './requirement.ts'

/** Sentences that ask for nothing that a test could show. */
export const exemptions: readonly Exemption[] = [
  {
    section: 0,
    why: 'About the specification itself',
    covers: ['ae4d3fac3ce2', '5bf04c11473e', '5a794daf242b', '1dc9071b3193'],
  },
  { section: 1, why: 'A title', covers: ['0e5520c43c35'] },
  {
    section: 2,
    why: 'A title',
    covers: [
      '6281293cdf41',
      '12d6d4d2c59c',
      'bc6d87695f96',
      'ff03186e53a0',
      'ca72bfc16968',
      '9e831052ad20',
      'aa28729a7add',
      'b55fa08727bb',
      '68d037953fd9',
      '17e385293531',
    ],
  },
  { section: 3, why: 'A title', covers: ['14937913d1a1'] },
  { section: 4, why: 'A title', covers: ['73b61374acb3', 'd82299b9d9d1', 'fae6027aabae'] },
  { section: 5, why: 'A title', covers: ['87acf6338518'] },
  { section: 6, why: 'A title', covers: ['e5512355f25f'] },
  { section: 7, why: 'A title', covers: ['6606b920baed'] },
  { section: 8, why: 'A title', covers: ['5d7bf9cd9b44'] },
  { section: 9, why: 'A title', covers: ['7d04e29fd5b1'] },
  { section: 4, why: 'Introduces the table or list below it', covers: ['70deb0ce9c99'] },
  { section: 5, why: 'Introduces the table or list below it', covers: ['9b2f1869eaa6'] },
  {
    section: 2,
    why: 'Says what is not shown; our choice is in [spec-gaps.md](spec-gaps.md)',
    covers: ['db288267a372', 'eccc5f59a083', '1c3f21f4b99b'],
  },
  {
    section: 3,
    why: 'Says what is not shown; our choice is in [spec-gaps.md](spec-gaps.md)',
    covers: ['cd8fdcef7aa9', 'd0e5eaed2990'],
  },
  {
    section: 4,
    why: 'Says what is not shown; our choice is in [spec-gaps.md](spec-gaps.md)',
    covers: [
      'd1325098555f',
      'ef3180324220',
      'dd3f39204d1b',
      'bd5e3c7d0d4b',
      'c115bbcb0ae4',
      '4e1d1522a8eb',
      'bddd5f84e405',
    ],
  },
  {
    section: 6,
    why: 'Says what is not shown; our choice is in [spec-gaps.md](spec-gaps.md)',
    covers: ['7136d8388a56', '413db5bed2f5', '9bbce00d05e2'],
  },
  {
    section: 7,
    why: 'Says what is not shown; our choice is in [spec-gaps.md](spec-gaps.md)',
    covers: ['92b3006ff404', 'ed63bf04d406'],
  },
  {
    section: 8,
    why: 'Says what is not shown; our choice is in [spec-gaps.md](spec-gaps.md)',
    covers: ['d07c21f86e30', '92c4d882fc3a', '69f3566bb668'],
  },
  {
    section: 9,
    why: 'Says what is not shown; our choice is in [spec-gaps.md](spec-gaps.md)',
    covers: ['72585f2d2479'],
  },
  {
    section: 4,
    why: 'A placeholder for the address of a deployment, which its operator chooses',
    covers: ['4d84ad136009'],
  },
  { section: 5, why: 'About the wallet tool server, which is another program', covers: ['d1a1cf8d97af'] },
]
