import {
  type DocumentKind,
  type FaqContent,
  type HomeContent,
  type MenusContent,
  type MonthContent,
  NewsletterContent,
  type PageContent,
  type PieceContent,
} from '#contract/office/documents.ts'
import { refused } from '../../http/http-errors.ts'
import type { DocumentType } from './document-type.ts'
import { homeType, menusType } from './home-queries.ts'
import { monthType } from './month-queries.ts'
import { faqType, pageType } from './page-queries.ts'
import { pieceType } from './piece-queries.ts'

export interface ContentOf {
  readonly home: HomeContent
  readonly menus: MenusContent
  readonly faq: FaqContent
  readonly article: PieceContent
  readonly interview: PieceContent
  readonly discussion: PieceContent
  readonly page: PageContent
  readonly newsletter: NewsletterContent
  readonly month: MonthContent
}

const NOT_PUBLISHED = 'A newsletter is sent, not published.'

/** The shop shows none: its text is a draft that colleagues share until it is sent. */
const newsletterType: DocumentType<NewsletterContent> = {
  schema: NewsletterContent,
  read: async () => ({ content: { markdown: '' }, isShown: false }),
  write: async () => {
    throw refused(NOT_PUBLISHED)
  },
  missing: async () => [{ field: 'markdown', words: NOT_PUBLISHED }],
  titleOf: () => 'Newsletter',
  addressOf: () => '/newsletter-signup',
}

export const DOCUMENT_TYPES: { readonly [K in DocumentKind]: DocumentType<ContentOf[K]> } = {
  home: homeType,
  menus: menusType,
  faq: faqType,
  article: pieceType('article'),
  interview: pieceType('interview'),
  discussion: pieceType('discussion'),
  page: pageType,
  newsletter: newsletterType,
  month: monthType,
}
