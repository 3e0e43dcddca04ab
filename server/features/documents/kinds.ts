import type {
  DocumentKind,
  FaqContent,
  HomeContent,
  MenusContent,
  PageContent,
  PieceContent,
} from '#contract/office/documents.ts'
import type { DocumentType } from './document-type.ts'
import { homeType, menusType } from './home-queries.ts'
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
}

export const DOCUMENT_TYPES: { readonly [K in DocumentKind]: DocumentType<ContentOf[K]> } = {
  home: homeType,
  menus: menusType,
  faq: faqType,
  article: pieceType('article'),
  interview: pieceType('interview'),
  discussion: pieceType('discussion'),
  page: pageType,
}
