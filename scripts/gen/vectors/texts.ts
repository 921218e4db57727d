import { normalizeText } from '../../../packages/protocol/src/base/plainText.ts'
import {
  encodeTaskText,
  hashTaskText,
  maxTextBytes,
  maxTitleLength,
  type TaskText,
} from '../../../packages/protocol/src/tasks/taskText.ts'

const plain: TaskText = {
  title: 'Caption ten photos',
  criteria: 'One sentence each, under 125 characters.',
  milestones: ['All ten'],
}

/** The longest criteria, made of `unit`, that still fit with the plain title. */
function fillCriteria(unit: string): TaskText {
  const bytes = (text: string) => new TextEncoder().encode(text).length
  const room = maxTextBytes - bytes(encodeTaskText({ ...plain, criteria: 'x' })) + 1
  const each = bytes(JSON.stringify(unit)) - 2
  return { ...plain, criteria: unit.repeat(Math.floor(room / each)) + 'x'.repeat(room % each) }
}

/** Texts as users type them. */
const typed: Record<string, TaskText> = {
  plain,
  'one character': { title: 'x', criteria: 'y', milestones: ['z'] },
  'sixteen milestones': { ...plain, milestones: Array.from({ length: 16 }, (_, index) => `Part ${index + 1}`) },
  'the same title twice': { ...plain, milestones: ['Draft', 'Draft'] },
  'spaces around': {
    title: '  Caption ten photos\t',
    criteria: '\n\n One sentence each. \n',
    milestones: [' All ten '],
  },
  'Windows line ends': { ...plain, criteria: 'First line\r\nSecond line\r\n\r\nLast line' },
  'old Mac line ends': { ...plain, criteria: 'First line\rSecond line' },
  'empty lines kept': { ...plain, criteria: 'First line\n\n\nFourth line' },
  'accents in one piece': { ...plain, title: 'Caf\u00e9 menu, \u00c5rhus' },
  'accents in two pieces': { ...plain, title: 'Cafe\u0301 menu, A\u030arhus' },
  'marks that have no composed form': { ...plain, title: 'x\u0301 q\u0323\u0307' },
  'marks out of order': { ...plain, title: 'q\u0307\u0323' },
  'Hangul in letters': { ...plain, title: '\u1112\u1161\u11ab\u1100\u1173\u11af' },
  'singletons that NFC replaces': { ...plain, title: '5 \u212b, 10 \u2126' },
  'ligatures and full width stay': { ...plain, title: '\ufb01le \uff21\uff22\uff23 \u00bd' },
  Arabic: {
    ...plain,
    title: '\u062a\u0631\u062c\u0645\u0629 \u0639\u0642\u062f',
    criteria: '\u0639\u0634\u0631 \u0635\u0641\u062d\u0627\u062a',
  },
  Hebrew: { ...plain, title: '\u05ea\u05e8\u05d2\u05d5\u05dd \u05d7\u05d5\u05d6\u05d4' },
  Chinese: {
    ...plain,
    title: '\u4e3a\u5341\u5f20\u7167\u7247\u5199\u8bf4\u660e',
    milestones: ['\u5168\u90e8\u5341\u5f20'],
  },
  Japanese: { ...plain, title: '\u5199\u771f\u306e\u8aac\u660e\u6587\u3092\u66f8\u304f' },
  Hindi: { ...plain, title: '\u0926\u0938 \u0924\u0938\u094d\u0935\u0940\u0930\u0947\u0902' },
  'Hindi with a joiner': { ...plain, title: '\u0915\u094d\u200d\u0937' },
  'Persian with a non-joiner': { ...plain, title: '\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645' },
  Thai: { ...plain, title: '\u0e04\u0e33\u0e1a\u0e23\u0e23\u0e22\u0e32\u0e22\u0e20\u0e32\u0e1e' },
  Greek: { ...plain, title: '\u039b\u03b5\u03b6\u03ac\u03bd\u03c4\u03b5\u03c2' },
  Cyrillic: { ...plain, title: '\u041f\u043e\u0434\u043f\u0438\u0441\u0438 \u043a \u0444\u043e\u0442\u043e' },
  emoji: { ...plain, title: 'Rate \u{1f600} to \u{1f622}' },
  'an emoji family': { ...plain, title: '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}' },
  'an emoji with skin tone and style': { ...plain, title: '\u{1f44d}\u{1f3fd} \u2764\ufe0f' },
  'a flag': { ...plain, title: '\u{1f1e7}\u{1f1f7}' },
  'what JSON escapes': { ...plain, criteria: 'Say "yes" or \\no\\, then / and </script>' },
  'what looks like numbers': { title: '1', criteria: '1e3', milestones: ['true', 'null', '-0'] },
  'the longest title': { ...plain, title: 'x'.repeat(maxTitleLength) },
  'the longest title of emoji': { ...plain, title: '\u{1f600}'.repeat(maxTitleLength / 2) },
  'the longest text': fillCriteria('x'),
  'the longest text of quotes': fillCriteria('"'),
  'the longest text of Chinese': fillCriteria('\u6587'),
  'the longest text of emoji': fillCriteria('\u{1f600}'),
}

/** Titles that must be refused. */
const refusedTitles: Record<string, string> = {
  nothing: '',
  'two lines': 'a\nb',
  'a tab': 'a\tb',
  'a null': 'a\u0000b',
  'an escape': 'a\u001bb',
  'a delete': 'a\u007fb',
  'a next line': 'a\u0085b',
  'a soft hyphen': 'a\u00adb',
  'an Arabic letter mark': 'a\u061cb',
  'a zero width space': 'a\u200bb',
  'a left-to-right mark': 'a\u200eb',
  'a right-to-left mark': 'a\u200fb',
  'a line separator': 'a\u2028b',
  'a paragraph separator': 'a\u2029b',
  'a left-to-right embedding': 'a\u202ab',
  'a right-to-left override': 'a\u202eb',
  'a word joiner': 'a\u2060b',
  'an isolate': 'a\u2066b',
  'the end of an isolate': 'a\u2069b',
  'a byte order mark': 'a\ufeffb',
  'a tag': 'a\u{e0061}b',
  'a space before': ' a',
  'a space after': 'a ',
  'a letter and its accent': 'e\u0301',
  'one character too many': 'x'.repeat(maxTitleLength + 1),
}

/** Task texts as typed, as published and hashed, and refused titles. */
export function createTextVectors() {
  const texts = Object.values(typed).map(({ title, criteria, milestones }) =>
    encodeTaskText({
      title: normalizeText(title),
      criteria: normalizeText(criteria),
      milestones: milestones.map(normalizeText),
    }),
  )
  return {
    names: Object.keys(typed),
    titles: Object.values(typed).map(({ title }) => title),
    criteria: Object.values(typed).map(({ criteria }) => criteria),
    milestones: Object.values(typed).map(({ milestones }) => milestones),
    texts,
    criteriaHashes: texts.map(hashTaskText),
    refusedTitles: Object.values(refusedTitles),
    refusedBecause: Object.keys(refusedTitles),
  }
}
