import Type, { type Static } from 'typebox'
import { AudioBookCard, EBookCard } from './catalogue.ts'
import { embedded, NullableString, nullable } from './atoms.ts'
import { Murmuration } from './editorial.ts'
import { endpoint } from './endpoint.ts'
import type { HOME_SECTIONS } from './limits.ts'
import { collection } from './hydra.ts'

export type HomeSection = (typeof HOME_SECTIONS)[number]

const Card = Type.Union([AudioBookCard, EBookCard])

const panel = Type.Object({
  weight: Type.Integer(),
  visible: Type.Boolean(),
  title: Type.String(),
  /** The word of the title in italics; null if the owner chose none. */
  italic: NullableString,
})

export const StaffPick = embedded('StaffPick', {
  visible: Type.Boolean(),
  title: Type.String(),
  description: Type.String(),
  author: Type.String(),
  audioBook: nullable(AudioBookCard),
})
export type StaffPick = Static<typeof StaffPick>

/** ENT-29: a weight, a flag and a title for each section, and the sections' contents. At most eight of each. */
export const HomepagePanel = embedded('HomepagePanel', {
  curatedIntroPicks: panel,
  currentHighlights: panel,
  localShop: panel,
  howItWorks: panel,
  astonishingMemoirs: panel,
  featuredAudioBook: panel,
  editions: panel,
  writersDilemma: panel,
  murmurations: panel,
  playerApp: panel,
  guestPicks: panel,
  newTitles: panel,
  inStep: panel,
  mostHeard: panel,
  allTitles: panel,
  introText: Type.Object({ visitor: Type.String(), user: Type.String(), member: Type.String() }),
  aboutText: Type.String(),
  astonishingMemoirsAudioBooks: Type.Array(AudioBookCard),
  writersDilemmaAudioBooks: Type.Array(AudioBookCard),
  featuredAudioBooks: Type.Array(AudioBookCard),
  editionAudioBooks: Type.Array(AudioBookCard),
  highlightAudioBooks: Type.Array(AudioBookCard),
  /** The owner's picks and the default lists; empty if their panel is hidden. */
  pickedTitles: Type.Array(Card),
  newestTitles: Type.Array(Card),
  inStepTitles: Type.Array(Card),
  mostHeardTitles: Type.Array(Card),
  titlesByName: Type.Array(Card),
  featuredMurmurations: Type.Array(Murmuration),
  specialFeaturedMurmurations: Type.Array(Murmuration),
  appStoreLink: NullableString,
  playStoreLink: NullableString,
})
export type HomepagePanel = Static<typeof HomepagePanel>

export const getHomepagePanels = endpoint({
  method: 'GET',
  path: '/api/homepage_panels',
  summary: 'The home page; its first member is used',
  access: 'public',
  reply: collection(HomepagePanel),
})
export const listStaffPicks = endpoint({
  method: 'GET',
  path: '/api/staff_pick_blocks',
  summary: 'Visible staff picks',
  access: 'public',
  reply: collection(StaffPick),
})

const Block = embedded('HomePanel', {
  section: Type.String(),
  weight: Type.Integer(),
  visible: Type.Boolean(),
  title: Type.String(),
})
export const listBasicPanels = endpoint({
  method: 'GET',
  path: '/api/home_panels_basic',
  summary: 'Visible panels without content of their own',
  access: 'public',
  reply: collection(Block),
})
export const listGuestPicks = endpoint({
  method: 'GET',
  path: '/api/home_panels_guest_pick',
  summary: 'Books picked by a guest',
  access: 'public',
  reply: collection(AudioBookCard),
})
export const listPanelPublishers = endpoint({
  method: 'GET',
  path: '/api/home_panels_publisher',
  summary: 'Publishers shown on the home page',
  access: 'public',
  reply: collection(embedded('Publisher', { id: Type.Integer(), name: Type.String(), slug: Type.String() })),
})
export const listMurmurationBlocks = endpoint({
  method: 'GET',
  path: '/api/murmuration_blocks',
  summary: 'Featured and special murmurations',
  access: 'public',
  part: 'journal',
  reply: collection(
    embedded('MurmurationBlock', {
      featuredMurmurations: Type.Array(Murmuration),
      specialFeaturedMurmurations: Type.Array(Murmuration),
    }),
  ),
})
export const listPromoBlocks = endpoint({
  method: 'GET',
  path: '/api/promo_blocks',
  summary: 'Promotion blocks',
  access: 'public',
  reply: collection(
    embedded('PromoBlock', {
      title: Type.String(),
      text: Type.String(),
      link: NullableString,
      linkTitle: NullableString,
    }),
  ),
})

const MenuEntry = embedded('MenuEntry', {
  title: Type.String(),
  url: Type.String(),
  /** "Italic" is set in italics (HDR-15). */
  style: NullableString,
  group: Type.String(),
})
export type MenuEntry = Static<typeof MenuEntry>
/** Groups Products, Murmurations, Links; in order. */
export const listMenuEntries = endpoint({
  method: 'GET',
  path: '/api/menu_entries',
  summary: 'Menu entries',
  access: 'public',
  reply: collection(MenuEntry),
})
/** Groups "Group 1", "Group 2". */
export const listSearchMenuEntries = endpoint({
  method: 'GET',
  path: '/api/search_menu_entries',
  summary: 'Search shortcuts',
  access: 'public',
  reply: collection(MenuEntry),
})
