import type { HomepagePanel, HomeSection } from '#contract/home.ts'

export interface Section {
  readonly section: HomeSection
  readonly title: string
  readonly italic: string | null
}

type Panel = HomepagePanel[HomeSection]

/** Visible sections by weight (HOME-01, HOME-16). */
export const sectionsOf = (page: HomepagePanel): Section[] =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- of all that the page holds, panels alone are visible
  (Object.entries(page) as [HomeSection, Panel | null][])
    .flatMap(([section, panel]) => (panel?.visible ? [{ section, ...panel }] : []))
    .sort((a, b) => a.weight - b.weight)
    .map(({ section, title, italic }) => ({ section, title, italic }))
