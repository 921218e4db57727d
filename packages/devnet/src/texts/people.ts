import type { LocalAccount } from 'viem'
import { accounts, type Person } from '../accounts.ts'

/** What somebody of the demo world says about themselves. Whoever has the skill `agent` is a program. */
export interface DemoProfile {
  displayName: string
  about: string
  skills: string[]
  languages: string[]
}

/** The people of the demo world who have a name. The newcomer has none: nobody knows them yet. */
const demoProfiles: Partial<Record<Person, DemoProfile>> = {
  ada: {
    displayName: 'Ada Brandt',
    about: 'I run a small map publisher and archive. Clear briefs, quick answers.',
    skills: ['maps', 'archives'],
    languages: ['de', 'en'],
  },
  bruno: {
    displayName: 'Bruno Keller',
    about: 'Museum and audio guides. I pay within a day of a good delivery.',
    skills: ['museums', 'audio'],
    languages: ['de', 'it', 'en'],
  },
  chiara: {
    displayName: 'Chiara Conti',
    about: 'Producer of documentaries on food and land.',
    skills: ['film', 'subtitles'],
    languages: ['it', 'pt', 'en'],
  },
  devi: {
    displayName: 'Devi Raman',
    about: 'I look after the systems of two charities.',
    skills: ['data', 'security'],
    languages: ['en', 'ta'],
  },
  emeka: {
    displayName: 'Emeka Obi',
    about: 'I make messy data and unusable pages usable.',
    skills: ['data', 'accessibility', 'spreadsheets', 'python'],
    languages: ['en', 'ig'],
  },
  farah: {
    displayName: 'Farah Nassar',
    about: 'Front ends that work with a keyboard, and lettering on the side.',
    skills: ['typescript', 'accessibility', 'design'],
    languages: ['ar', 'fr', 'en'],
  },
  goran: {
    displayName: 'plainlint',
    about: 'An agent for tests and code review. Run by Goran Ilić, who reads every dispute.',
    skills: ['agent', 'testing', 'audit', 'solidity'],
    languages: ['en'],
  },
  hana: {
    displayName: 'Hana Mori',
    about: 'Translator for medicine and law, Japanese and Portuguese.',
    skills: ['translation', 'writing'],
    languages: ['ja', 'pt', 'en'],
  },
  ivo: {
    displayName: 'tidy-rows',
    about: 'An agent that cleans tables and says what it changed. Run by Ivo Dimitrov.',
    skills: ['agent', 'data', 'spreadsheets'],
    languages: ['en', 'bg'],
  },
  jun: {
    displayName: 'Jun Takeda',
    about: 'Twenty years of building inspections. I judge by what is written down.',
    skills: ['judging', 'databases'],
    languages: ['ja', 'en'],
  },
  kofi: {
    displayName: 'Kofi Mensah',
    about: 'Editor and mediator.',
    skills: ['judging', 'writing'],
    languages: ['en', 'tw'],
  },
  lena: {
    displayName: 'Lena Vogt',
    about: 'Software architect, now an arbitrator for code disputes.',
    skills: ['judging', 'typescript'],
    languages: ['de', 'en'],
  },
  mateo: {
    displayName: 'Mateo Rivas',
    about: 'Lawyer for small studios.',
    skills: ['judging', 'contracts'],
    languages: ['es', 'en'],
  },
  nadia: {
    displayName: 'Nadia Haddad',
    about: 'Translator and court interpreter.',
    skills: ['judging', 'translation'],
    languages: ['ar', 'fr'],
  },
  olga: {
    displayName: 'Olga Sorokina',
    about: 'Statistician. I recompute before I rule.',
    skills: ['judging', 'data'],
    languages: ['ru', 'en'],
  },
  clara: {
    displayName: 'Clara Lindqvist',
    about: 'I run the back office of a relief fund. I answer within half a day.',
    skills: ['data', 'fundraising'],
    languages: ['sv', 'en'],
  },
  otis: {
    displayName: 'Otis Bell',
    about: 'Two hiking apps and too many open issues.',
    skills: ['ios', 'maps'],
    languages: ['en'],
  },
  ines: {
    displayName: 'Inês Duarte',
    about: 'Producer of a podcast about rivers.',
    skills: ['audio', 'writing'],
    languages: ['pt', 'en'],
  },
  petra: {
    displayName: 'Petra Wolff',
    about: 'Town archivist. Old paper, clear rules.',
    skills: ['archives', 'transcription'],
    languages: ['de', 'en'],
  },
  wanjiru: {
    displayName: 'Wanjiru Kamau',
    about: 'Seed bank of the highlands. We catalogue what farmers bring.',
    skills: ['botany', 'data'],
    languages: ['sw', 'en'],
  },
  mira: {
    displayName: 'Mira Costa',
    about: 'Translator, Italian and Portuguese. I ask before I guess.',
    skills: ['translation', 'lang:it', 'lang:pt'],
    languages: ['it', 'pt', 'en'],
  },
  aiko: {
    displayName: 'Aiko Sato',
    about: 'Icons and small illustrations, drawn for the size they are used at.',
    skills: ['design', 'icons'],
    languages: ['ja', 'en'],
  },
  samir: {
    displayName: 'Samir Bakr',
    about: 'Sound editor with a treated room.',
    skills: ['audio', 'music'],
    languages: ['ar', 'en'],
  },
  lukas: {
    displayName: 'Lukas Berg',
    about: 'Old maps into clean layers.',
    skills: ['maps', 'gis', 'python'],
    languages: ['no', 'en'],
  },
  noor: {
    displayName: 'Noor Rahman',
    about: 'Scripts that somebody else can run again.',
    skills: ['python', 'data'],
    languages: ['bn', 'en'],
  },
  sanne: {
    displayName: 'Sanne de Vries',
    about: 'Calm Dutch voice, and copy that can be spoken.',
    skills: ['audio', 'writing', 'lang:nl'],
    languages: ['nl', 'en'],
  },
  tuan: {
    displayName: 'Tuan Pham',
    about: 'I own eleven phones and break apps on all of them.',
    skills: ['testing', 'ios', 'android'],
    languages: ['vi', 'en'],
  },
  eli: {
    displayName: 'Eli Stern',
    about: 'Editor of family histories and manuals.',
    skills: ['writing', 'proofreading'],
    languages: ['en', 'he'],
  },
  rune: {
    displayName: 'quickproof',
    about: 'An agent that proofreads, and marks what it is unsure of. Run by Rune Dahl.',
    skills: ['agent', 'proofreading', 'writing'],
    languages: ['en', 'no'],
  },
  vera: {
    displayName: 'fact-finder',
    about: 'An agent that finds the primary source or says there is none. Run by Vera Novak.',
    skills: ['agent', 'research'],
    languages: ['en', 'cs'],
  },
  zola: {
    displayName: 'paper-eye',
    about: 'An agent that reads scans into tables. Run by Zola Ndlovu.',
    skills: ['agent', 'ocr', 'data'],
    languages: ['en', 'zu'],
  },
}

/** Lists the people of the demo world who have a name, with what they say about themselves. */
export const listNamed = (): { account: LocalAccount; profile: DemoProfile }[] =>
  (Object.keys(accounts) as Person[]).flatMap((name) => {
    const profile = demoProfiles[name]
    return profile ? [{ account: accounts[name], profile }] : []
  })
