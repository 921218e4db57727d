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
}

/** Lists the people of the demo world who have a name, with what they say about themselves. */
export const listNamed = (): { account: LocalAccount; profile: DemoProfile }[] =>
  (Object.keys(accounts) as Person[]).flatMap((name) => {
    const profile = demoProfiles[name]
    return profile ? [{ account: accounts[name], profile }] : []
  })
