import type { HomePanelContent } from '#contract/office/documents.ts'

export interface SectionWords {
  readonly name: string
  /** Titles can be chosen for it; otherwise it shows this. */
  readonly holds: 'titles' | 'picks' | 'texts' | 'pieces' | 'own'
  readonly help: string
}

/** The panels that a home page can have. */
export const SECTIONS: Readonly<Record<string, SectionWords>> = {
  curatedIntroPicks: {
    name: 'Opening and staff pick',
    holds: 'picks',
    help: 'A word between two stars is set in italics: Good books, *said* softly.',
  },
  currentHighlights: {
    name: 'Current highlights',
    holds: 'titles',
    help: 'Automatic: the titles marked as highlights.',
  },
  featuredAudioBook: {
    name: 'Featured audiobook',
    holds: 'titles',
    help: 'Automatic: the featured titles, in their order.',
  },
  howItWorks: { name: 'How it works', holds: 'own', help: 'Its text is written from the plans of the shop.' },
  editions: { name: 'Editions', holds: 'titles', help: 'Automatic: the titles marked as editions.' },
  astonishingMemoirs: {
    name: 'Memoirs',
    holds: 'titles',
    help: 'Automatic: the titles marked as memoirs.',
  },
  writersDilemma: {
    name: 'Writer’s Dilemma',
    holds: 'titles',
    help: 'Automatic: the titles marked for it.',
  },
  localShop: { name: 'About the shop', holds: 'texts', help: 'A blank line begins a paragraph.' },
  murmurations: {
    name: 'Journal',
    holds: 'pieces',
    help: 'The pieces of the Journal marked as first in its panel, newest first.',
  },
  playerApp: { name: 'Take it with you', holds: 'own', help: 'Where the app is, if there is one.' },
  guestPicks: { name: 'Our picks', holds: 'titles', help: 'Choose its titles here.' },
  newTitles: { name: 'New titles', holds: 'own', help: 'Automatic: the newest titles.' },
  inStep: {
    name: 'Read and listen in step',
    holds: 'own',
    help: 'Automatic: the newest titles whose audiobook and e-book go together.',
  },
  mostHeard: {
    name: 'Most heard',
    holds: 'own',
    help: 'Automatic: what most people listen to; nothing about a single listener.',
  },
  allTitles: { name: 'All titles', holds: 'own', help: 'Automatic: all of them, by name.' },
}

export const panelName = ({ section, title }: Pick<HomePanelContent, 'section' | 'title'>): string =>
  SECTIONS[section]?.name ?? (title.replaceAll('*', '') || section)
