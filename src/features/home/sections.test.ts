import { expect, test } from 'vitest'
import type { HomepagePanel } from '#contract/home.ts'
import { sectionsOf } from './queries.ts'

const panel = (weight: number, visible: boolean, title: string) => ({
  weight,
  visible,
  title,
  italic: null,
})
const home = {
  curatedIntroPicks: panel(1, true, 'Intro'),
  currentHighlights: panel(9, true, 'Highlights'),
  localShop: panel(5, false, 'Shop'),
  howItWorks: panel(2, true, 'How'),
  astonishingMemoirs: panel(8, true, 'Memoirs'),
  featuredAudioBook: panel(3, true, 'Featured'),
  editions: panel(7, true, 'Editions'),
  writersDilemma: panel(6, true, 'Dilemma'),
  murmurations: panel(4, true, 'Murmurations'),
  playerApp: panel(10, true, 'App'),
} as HomepagePanel

test('HOME-01 HOME-16: sections are ordered by weight, and hidden ones are left out', () => {
  expect(sectionsOf(home).map(({ title }) => title)).toEqual([
    'Intro',
    'How',
    'Featured',
    'Murmurations',
    'Dilemma',
    'Editions',
    'Memoirs',
    'Highlights',
    'App',
  ])
})
