import type { FinishedTask, OpenOffer } from './brief.ts'

// The example agent describes pictures and sums numbers. Only one open task of this market may ask for that.

/** Tasks of the micro market that can be claimed, and that show nothing else. */
export const microOffers: readonly OpenOffer[] = [
  {
    poster: 'bruno',
    postedHoursAgo: 22,
    closesInHours: 60,
    title: 'Transcribe 25 minutes of a parish council meeting',
    tags: ['transcription', 'lang:en'],
    criteria:
      'English, six speakers, one microphone on the table. A list of names and a seating plan are given. Write who speaks, and put a time stamp at every item of the agenda. Mark what cannot be understood instead of guessing.',
    milestones: [{ title: 'Transcript with speakers', tok: 10_400, hours: 36 }],
  },
  {
    poster: 'otis',
    postedHoursAgo: 7,
    closesInHours: 4 * 24,
    title: 'Six weather icons for a hiking app',
    tags: ['design'],
    criteria:
      'Sun, cloud, rain, thunderstorm, snow and fog. SVG on a grid of 24 pixels, stroke of 1.5, rounded ends, one colour. They match the four existing icons and stay readable at 20 pixels. No gradients and no hidden layers.',
    milestones: [
      { title: 'Sketches', tok: 5_000, hours: 24 },
      { title: 'Six final SVG files', tok: 13_000, hours: 48 },
    ],
  },
  {
    poster: 'devi',
    postedHoursAgo: 34,
    closesInHours: 3 * 24,
    title: 'Split 640 addresses into street, number, postcode and town',
    tags: ['data'],
    criteria:
      'The addresses are from five countries, and the number does not always follow the street. Deliver the same rows in the same order with four new columns. Doubtful rows are marked. At most three errors in 100 rows that we check.',
    milestones: [{ title: 'Sheet with four new columns', tok: 6_800, hours: 24 }],
  },
  {
    poster: 'chiara',
    postedHoursAgo: 12,
    closesInHours: 30,
    title: 'Translate 80 strings of a plant app into Polish',
    tags: ['translation', 'lang:pl'],
    criteria:
      'JSON in, JSON out: keys and placeholders stay as they are, and plural forms follow ICU. Address the reader informally. Buttons have room for 18 characters. Write a comment for each string that you could not place.',
    milestones: [{ title: 'Polish JSON file', tok: 7_600, hours: 24 }],
  },
  {
    poster: 'ada',
    postedHoursAgo: 1.5,
    closesInHours: 5,
    title: 'Reproduce a checkout error in Safari 17',
    tags: ['testing'],
    criteria:
      'Some customers see an empty basket after they return from the payment page. Find steps that show it on a Mac or an iPhone, at least twice in five tries. Deliver the steps, a screen recording and the network log as a HAR file without personal data.',
    milestones: [{ title: 'Steps, recording and HAR file', tok: 12_000, hours: 12 }],
  },
  {
    poster: 'devi',
    postedHoursAgo: 40,
    closesInHours: 5 * 24,
    title: 'Trace 120 farm buildings from an aerial photo',
    tags: ['maps', 'gis'],
    criteria:
      'The photo is from 1953, georeferenced, 40 cm a pixel. Trace every roof as a polygon, squared where the building is. Deliver GeoJSON with an id and a field that says how sure you are. Haystacks are not buildings; the guide shows how to tell.',
    milestones: [
      { title: 'North half', tok: 7_000, hours: 48 },
      { title: 'South half', tok: 7_000, hours: 48 },
    ],
  },
  {
    poster: 'chiara',
    postedHoursAgo: 18,
    closesInHours: 2 * 24,
    permitOnly: true,
    title: 'Voice for two minutes of a museum audio guide, Irish English',
    tags: ['audio', 'lang:en'],
    criteria:
      'A text of 290 words on a bog boat. We look for a warm, unhurried voice; send twenty seconds of it and ask for a permit. WAV, 48 kHz, two takes, no music and no effects. One correction of emphasis is included.',
    milestones: [{ title: 'Two takes', tok: 16_000, hours: 48 }],
  },
  {
    poster: 'petra',
    postedHoursAgo: 5,
    closesInHours: 18,
    title: 'Find price and size of 40 organ replacement parts',
    tags: ['research'],
    criteria:
      'The list has part names in Italian and German. Find at least one supplier in Europe for each: price without tax, size, delivery time and link. If a part is no longer made, name the closest replacement and what differs.',
    milestones: [{ title: 'Sheet with suppliers', tok: 9_200, hours: 24 }],
  },
  {
    poster: 'ada',
    postedHoursAgo: 27,
    closesInHours: 5 * 24,
    title: 'Unit tests for a parser of opening hours',
    tags: ['testing', 'typescript'],
    criteria:
      'The parser has 320 lines of Python and reads texts such as "Mo-Fr 09:00-12:30; PH off". Write pytest cases for every rule in the attached grammar, at least 60 in all, and ten for inputs that must be rejected. Report errors as failing tests, and do not fix them.',
    milestones: [{ title: '70 tests in one pull request', tok: 14_400, hours: 36 }],
  },
]

/** Tasks of the micro market that ended well. */
export const microFinished: readonly FinishedTask[] = [
  {
    poster: 'bruno',
    worker: 'hana',
    postedHoursAgo: 135,
    paidHoursAgo: 110,
    title: 'Type up 45 library cards from 1920',
    tags: ['transcription'],
    criteria:
      'One row for each card: author, title, year, shelf mark. Keep the old spelling. Cards with a stamp get an extra mark. Two errors in 45 are fine.',
    milestones: [{ title: 'Sheet with 45 rows', tok: 5_800, hours: 24 }],
  },
  {
    poster: 'chiara',
    worker: 'emeka',
    postedHoursAgo: 118,
    paidHoursAgo: 96,
    title: 'Shorten 30 book descriptions to 50 words',
    criteria:
      'The plot stays clear, the ending stays secret, and the words stay the publisher’s where possible. Between 45 and 50 words each, in the sheet beside the long version.',
    milestones: [{ title: '30 short descriptions', tok: 8_000, hours: 24 }],
  },
  {
    poster: 'chiara',
    worker: 'farah',
    postedHoursAgo: 92,
    paidHoursAgo: 70,
    title: 'Time the subtitles of a four minute interview',
    tags: ['subtitles'],
    criteria:
      'The text is final and has 62 lines. Each subtitle begins within two frames of the voice and stays for at least a second. SRT at 25 frames a second.',
    milestones: [{ title: 'Timed SRT file', tok: 6_000, hours: 24 }],
  },
  {
    poster: 'devi',
    worker: 'hana',
    postedHoursAgo: 76,
    paidHoursAgo: 52,
    title: 'Build a budget sheet for a village fair',
    criteria:
      'Income and costs by stall, planned and actual, with totals that update by themselves. It works in LibreOffice and Excel, has no macros, and prints on two pages. Add example figures that we can delete.',
    milestones: [{ title: 'Spreadsheet with examples', tok: 9_600, hours: 24 }],
  },
  {
    poster: 'ada',
    worker: 'farah',
    postedHoursAgo: 46,
    paidHoursAgo: 28,
    title: 'Document the settings of a backup script',
    tags: ['writing'],
    criteria:
      'The script has 22 settings. For each: what it does, its default, an example, and what happens if it is wrong. One Markdown page with a table and a complete sample file that runs.',
    milestones: [{ title: 'Markdown page and sample file', tok: 11_200, hours: 24 }],
  },
  {
    poster: 'otis',
    worker: 'aiko',
    postedHoursAgo: 64,
    paidHoursAgo: 18,
    title: 'Four map icons at 20 pixels',
    tags: ['design', 'icons'],
    criteria:
      'Hut, spring, bridge and ford. SVG on a grid of 24 pixels, stroke 1.5, one colour. They stay readable at 20 pixels and match the six that exist.',
    milestones: [{ title: 'Four SVG files', tok: 9_000, hours: 36 }],
    delivery: {
      text: 'Four icons. The ford was the hard one: two waves and a step.',
      files: {
        'hut.svg.txt': '<svg viewBox="0 0 24 24"><path d="M4 20V10l8-6 8 6v10z"/></svg>\n',
        'sizes.csv': 'icon,readable_at\nhut,16\nspring,18\nbridge,16\nford,20\n',
      },
    },
  },
  {
    poster: 'ines',
    worker: 'sanne',
    postedHoursAgo: 58,
    paidHoursAgo: 16,
    title: 'Read a trailer of 40 seconds in Dutch',
    tags: ['audio', 'lang:nl'],
    criteria:
      'A text of 95 words, calm and close. Two takes, WAV at 48 kHz, no music and no effects. One correction of emphasis is included.',
    milestones: [{ title: 'Two takes', tok: 8_000, hours: 36 }],
    delivery: {
      text: 'Two takes; the second one is slower at the end.',
      files: {
        'takes.csv': 'take,seconds,noise_db\n1,39.2,-63\n2,41.0,-64\n',
        'notes.txt': 'take 2: pause before the last sentence\n',
      },
    },
  },
  {
    poster: 'petra',
    worker: 'zola',
    postedHoursAgo: 50,
    paidHoursAgo: 14,
    title: 'Read 80 index cards into a table',
    tags: ['ocr', 'data'],
    criteria:
      'One row for each card: name, street, year, trade. Old spelling stays. What cannot be read is marked with a question mark instead of guessed.',
    milestones: [{ title: 'Table with 80 rows', tok: 6_400, hours: 36 }],
    delivery: {
      text: '80 rows, 11 question marks. Cards 41 and 42 are the same person.',
      files: {
        'cards.csv':
          'card,name,street,year,trade\n1,Anna Roth,Gerbergasse,1908,Näherin\n41,Karl Emmer,Am Tor,1911,Schmied\n42,Karl Emmer,Am Tor,1912,Schmied\n',
        'unread.csv': 'card,field\n7,year\n19,trade\n',
      },
    },
  },
  {
    poster: 'clara',
    worker: 'rune',
    postedHoursAgo: 44,
    paidHoursAgo: 12,
    title: 'Proofread a letter to 900 donors',
    tags: ['proofreading', 'writing'],
    criteria:
      'One page. Spelling, agreement and tone: friendly, no jargon, no exclamation marks. Two versions of the first sentence to choose from.',
    milestones: [{ title: 'Checked letter', tok: 5_200, hours: 24 }],
    delivery: {
      text: 'Seven corrections, and two first sentences to choose from.',
      files: {
        'letter.md': '# To our donors\n\nBecause of you, 31 wells were repaired this year.\n',
        'changes.csv': 'line,before,after\n2,could of,could have\n6,fundings,funds\n',
      },
    },
  },
  {
    poster: 'wanjiru',
    worker: 'noor',
    postedHoursAgo: 40,
    paidHoursAgo: 10,
    title: 'Split 300 plant names into genus, species and author',
    tags: ['data'],
    criteria:
      'Three new columns beside the names, in the same order. Doubtful rows are marked. At most two errors in 100 rows that we check.',
    milestones: [{ title: 'Sheet with three columns', tok: 7_000, hours: 36 }],
    delivery: {
      text: '300 rows, 9 marked. The script is there, so that you can run it again.',
      files: {
        'names.csv':
          'name,genus,species,author\nPhaseolus vulgaris L.,Phaseolus,vulgaris,L.\nVigna unguiculata (L.) Walp.,Vigna,unguiculata,(L.) Walp.\n',
        'split.py': 'import csv, sys\n\nfor row in csv.reader(sys.stdin):\n    print(row[0].split())\n',
      },
    },
  },
  {
    poster: 'devi',
    worker: 'vera',
    postedHoursAgo: 36,
    paidHoursAgo: 8,
    title: 'Check twelve figures in a press release',
    tags: ['research'],
    criteria:
      'For each figure: the source, the exact number there, and whether the release says the same. Primary sources only.',
    milestones: [{ title: 'Twelve checked figures', tok: 8_800, hours: 24 }],
    delivery: {
      text: 'Ten of twelve are right. Two come from a newspaper that rounded them.',
      files: {
        'figures.csv':
          'figure,source,there,same\n31 wells,annual report p. 9,31,yes\n40 %,ministry table 3,36.8 %,no\n',
      },
    },
  },
  {
    poster: 'ada',
    worker: 'lukas',
    postedHoursAgo: 32,
    paidHoursAgo: 6,
    title: 'Trace the paths of one map sheet',
    tags: ['maps', 'gis'],
    criteria:
      'One sheet of 1952, georeferenced. Every path as a line with its kind from the legend. GeoJSON, and a list of places where the print is unclear.',
    milestones: [{ title: 'GeoJSON with 140 paths', tok: 9_600, hours: 36 }],
    delivery: {
      text: '143 paths. Five places are unclear; the list has their coordinates.',
      files: {
        'unclear.csv': 'x,y,why\n512300,5430200,fold\n513010,5431150,stain\n',
        'kinds.csv': 'kind,paths\nfootpath,88\ncart track,55\n',
      },
    },
  },
  {
    poster: 'bruno',
    worker: 'mira',
    postedHoursAgo: 28,
    paidHoursAgo: 4,
    title: 'Translate ten room signs into Italian',
    tags: ['translation', 'lang:it'],
    criteria:
      'Ten signs, at most 24 characters each. Say which ones you had to shorten. Informal, as in the rest of the museum.',
    milestones: [{ title: 'Ten signs', tok: 4_800, hours: 24 }],
    delivery: {
      text: 'Ten signs. Two had to be shorter; the list says which and how.',
      files: {
        'signs.csv': 'german,italian,characters\nGarderobe,Guardaroba,10\nBitte nicht berühren,Non toccare,11\n',
      },
    },
  },
]
