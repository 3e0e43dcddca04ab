import type { HomepagePanel, HomeSection } from '#contract/home.ts'
import { HOME_SECTIONS } from '#contract/limits.ts'

export interface Section {
  readonly section: HomeSection
  readonly title: string
  readonly italic: string | null
}

/** Visible sections in the order of their weight (HOME-01, HOME-16). */
export const sectionsOf = (panel: HomepagePanel): Section[] =>
  HOME_SECTIONS.map((section) => ({ section, ...panel[section] }))
    .filter(({ visible }) => visible)
    .sort((a, b) => a.weight - b.weight)
    .map(({ section, title, italic }) => ({ section, title, italic }))
