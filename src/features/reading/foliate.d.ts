declare module 'foliate-js/view.js' {
  export interface TocItem {
    readonly label: string | null
    readonly href: string | null
    readonly subitems?: readonly TocItem[] | null
  }

  export interface FoliateBook {
    readonly toc?: readonly TocItem[]
    readonly dir?: string
    readonly sections: readonly { readonly createDocument?: () => Promise<Document> }[]
    /** Dispatches `data` with `{ data, type }` for everything that is loaded from the book. */
    readonly transformTarget?: {
      addEventListener(
        name: 'data',
        hear: (event: CustomEvent<{ data: unknown; type: string }>) => void,
      ): void
    }
  }

  export interface Location {
    /** 0 to 1. */
    readonly fraction?: number
    readonly section?: { readonly current: number; readonly total: number }
    readonly location?: { readonly current: number; readonly total: number }
    readonly tocItem?: { readonly label: string | null; readonly href: string | null } | null
    readonly cfi: string
    /** What is on the page. */
    readonly range?: Range
    /** Minutes left in the section and in the book. */
    readonly time?: { readonly section: number; readonly total: number }
  }

  export interface Renderer extends HTMLElement {
    addEventListener(name: 'relocate', hear: (event: CustomEvent<{ reason: string | null }>) => void): void
    addEventListener(
      name: string,
      hear: EventListenerOrEventListenerObject,
      options?: AddEventListenerOptions | boolean,
    ): void
    readonly scrolled: boolean
    /** Pixels: the section's length, and the window's start and end in it. */
    readonly viewSize: number
    readonly start: number
    readonly end: number
    /** A page's size in the direction of page turns, in pixels. */
    readonly size: number
    /** The section's laid-out pages, with an empty one at either end; counted from 0. */
    readonly page: number
    readonly pages: number
    containerPosition: number
    render(): void
    focusView(): void
    goTo(target: Resolved): Promise<void>
    getContents(): readonly {
      readonly doc: Document
      readonly index: number
      readonly overlayer?: {
        add(key: string, range: Range, draw: (lines: readonly DOMRect[]) => SVGElement): void
        remove(key: string): void
      }
    }[]
  }

  export interface Resolved {
    readonly index: number
    readonly anchor: (doc: Document) => unknown
  }

  export interface DrawsAnnotation {
    readonly draw: (how: unknown, options?: { color: string }) => void
    readonly annotation: { readonly value: string }
  }

  export class View extends HTMLElement {
    addEventListener(name: 'load', hear: (event: CustomEvent<{ doc: Document; index: number }>) => void): void
    /** A section has been drawn: its annotations can be added. */
    addEventListener(name: 'create-overlay', hear: (event: CustomEvent<{ index: number }>) => void): void
    addEventListener(name: 'draw-annotation', hear: (event: CustomEvent<DrawsAnnotation>) => void): void
    addEventListener(name: 'show-annotation', hear: (event: CustomEvent<{ value: string }>) => void): void
    addEventListener(name: 'external-link', hear: (event: CustomEvent<{ href: string }>) => void): void
    addEventListener(
      name: string,
      hear: EventListenerOrEventListenerObject,
      options?: AddEventListenerOptions | boolean,
    ): void
    readonly renderer: Renderer
    readonly lastLocation: Location | null
    open(book: FoliateBook): Promise<void>
    close(): void
    init(options: { lastLocation?: string; showTextStart?: boolean }): Promise<void>
    goTo(target: string): Promise<unknown>
    resolveNavigation(target: string): Resolved | undefined
    getCFI(index: number, range: Range): string
    /** `value` is a CFI. Rejects if it can't be resolved. */
    addAnnotation(annotation: { value: string }): Promise<unknown>
    deleteAnnotation(annotation: { value: string }): Promise<unknown>
    deselect(): void
    readonly book: FoliateBook
    readonly language: { readonly canonical?: string }
    getProgressOf(index: number, range: Range): { readonly tocItem?: TocItem | null }
    goToFraction(fraction: number): Promise<void>
    goLeft(): Promise<void>
    goRight(): Promise<void>
    /** The distance is in pixels in a scrolled book; without it, one page. */
    next(distance?: number): Promise<void>
    prev(distance?: number): Promise<void>
  }

  global {
    interface HTMLElementTagNameMap {
      'foliate-view': View
    }
  }

  export function makeBook(file: File): Promise<FoliateBook>
}

declare module 'foliate-js/overlayer.js' {
  export const Overlayer: { readonly highlight: unknown }
}

declare module 'foliate-js/text-walker.js' {
  export const textWalker: unknown
}

declare module 'foliate-js/search.js' {
  interface Match {
    readonly range: Range
    readonly excerpt: { readonly pre: string; readonly match: string; readonly post: string }
  }
  export function searchMatcher(
    textWalker: unknown,
    options: { defaultLocale: string },
  ): (doc: Document, query: string) => Iterable<Match>
}

declare module 'foliate-js/epubcfi.js' {
  /** The start of a range's CFI, or its end. */
  export function collapse(cfi: string, toEnd?: boolean): unknown
  export function compare(one: unknown, other: unknown): -1 | 0 | 1
}
