import { queryOptions } from '@tanstack/react-query'
import { TEN_MINUTES_MS } from '#features/query-options.ts'
import { call } from '#net/call.ts'
import type { HomepagePanel, HomeSection } from '#contract/home.ts'

/** The home page as the owner arranged it: the first member; or null. */
export const homepageQuery = () =>
  queryOptions({
    queryKey: ['home', 'panels'],
    queryFn: async ({ signal }) =>
      (await call('GET /api/homepage_panels', { signal, anonymous: true }))['hydra:member'][0] ?? null,
    staleTime: TEN_MINUTES_MS,
  })

export const staffPicksQuery = () =>
  queryOptions({
    queryKey: ['home', 'staff-picks'],
    queryFn: async ({ signal }) =>
      (await call('GET /api/staff_pick_blocks', { signal, anonymous: true }))['hydra:member'],
    staleTime: TEN_MINUTES_MS,
  })

export const menuQuery = () =>
  queryOptions({
    queryKey: ['home', 'menu'],
    queryFn: async ({ signal }) =>
      (await call('GET /api/menu_entries', { signal, anonymous: true }))['hydra:member'],
    staleTime: TEN_MINUTES_MS,
  })

export const searchMenuQuery = () =>
  queryOptions({
    queryKey: ['home', 'search-menu'],
    queryFn: async ({ signal }) =>
      (await call('GET /api/search_menu_entries', { signal, anonymous: true }))['hydra:member'],
    staleTime: TEN_MINUTES_MS,
  })

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
