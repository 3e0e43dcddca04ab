import { queryOptions, useQuery } from '@tanstack/react-query'
import { createContext, useContext, useEffect, useState, useSyncExternalStore } from 'react'
import type { DocumentKind, OfficeDocument } from '#contract/office/documents.ts'
import { officeCall } from '../net/office-call.ts'
import { queryClient } from '../net/query-client.ts'
import { isRefused, problemWords } from '../net/use-act.ts'
import { type Draft, useDraft } from '../net/use-draft.ts'

export interface DocumentName {
  readonly kind: DocumentKind
  readonly key: string
}

export const documentQuery = ({ kind, key }: DocumentName) =>
  queryOptions({
    queryKey: ['document', kind, key],
    queryFn: () => officeCall('GET /api/office/documents/{kind}/{key}', { params: { kind, key } }),
  })

/** Queries that show something else after a document was published, retired or put back. */
export const changesOf = ({ kind, key }: DocumentName) => [
  ['document', kind, key],
  ['versions', kind, key],
  ['journal'],
  ['pages'],
  ['months'],
  ...(kind === 'month' ? [['title'], ['choices', 'marked']] : []),
]

export interface Editing<Content> {
  readonly name: DocumentName
  /** As the server last sent it. */
  readonly document: OfficeDocument
  readonly content: Content
  readonly change: (to: (content: Content) => Content) => void
  readonly status: 'saved' | 'typing' | 'saving' | 'failed'
  /** Why it couldn't be saved. */
  readonly problem: string
  /** The version that a colleague saved meanwhile. */
  readonly conflict: OfficeDocument | undefined
  readonly keepMine: () => void
  readonly takeTheirs: () => void
  /** Saves what is typed. Resolves to the version that is then stored, or to undefined if it couldn't. */
  readonly flush: () => Promise<number | undefined>
  /** Shows what the server sent after an act. */
  readonly adopt: (document: OfficeDocument) => void
}

/** Long enough that a word is typed. */
const SAVE_AFTER_MS = 700
const RETRY_MS = 5_000

export function useDocument<Content extends Record<string, unknown>>(name: DocumentName) {
  const query = useQuery(documentQuery(name))
  const local = useDraft<Kept<Content>>(`document ${name.kind} ${name.key}`)
  const [session] = useState(() => new DocumentSession<Content>(name, local))
  const view = useSyncExternalStore(session.subscribe, session.snapshot)
  const { data } = query
  useEffect(() => {
    if (data) session.receive(data)
  }, [data, session])
  useEffect(() => {
    const onOnline = () => void session.save()
    addEventListener('online', onOnline)
    return () => {
      removeEventListener('online', onOnline)
      session.close()
    }
  }, [session])
  const editing: Editing<Content> | undefined = view && {
    name,
    ...view,
    change: session.change,
    flush: session.save,
    adopt: session.adopt,
    keepMine: session.keepMine,
    takeTheirs: session.takeTheirs,
  }
  return { editing, error: query.error, refetch: query.refetch }
}

interface Kept<Content> {
  readonly content: Content
  readonly version: number
}

type View<Content> = Pick<Editing<Content>, 'document' | 'content' | 'status' | 'problem' | 'conflict'>

/**
 * A document that is saved as it is typed: first on this device, then in the shop. A save names the version that it
 * began with. If a colleague saved meanwhile, it is refused, and the user compares both versions before either is
 * overwritten.
 */
class DocumentSession<Content extends Record<string, unknown>> {
  readonly #name: DocumentName
  readonly #local: Draft<Kept<Content>>
  readonly #listeners = new Set<() => void>()
  #view: View<Content> | undefined
  #version = 0
  #isDirty = false
  #saving: Promise<unknown> | undefined
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(name: DocumentName, local: Draft<Kept<Content>>) {
    this.#name = name
    this.#local = local
  }

  readonly subscribe = (listener: () => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  readonly snapshot = (): View<Content> | undefined => this.#view

  #show(change: Partial<View<Content>>): void {
    if (!this.#view) return
    this.#view = { ...this.#view, ...change }
    for (const listener of this.#listeners) listener()
  }

  /** What the server sent; nothing that is being typed is replaced by it. */
  receive(document: OfficeDocument): void {
    if (this.#isDirty || this.#saving) return
    if (this.#view && document.version <= this.#version) return
    const kept = this.#view ? undefined : this.#local.found
    this.adopt(document)
    if (!kept) return
    // Typed here before a reload, and not saved yet.
    this.#version = kept.version
    this.change(() => kept.content)
    void this.save()
  }

  readonly adopt = (document: OfficeDocument): void => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the server sends the content of its kind
    const content = document.content as Content
    clearTimeout(this.#timer)
    this.#version = document.version
    this.#isDirty = false
    this.#local.discard()
    this.#view = { document, content, status: 'saved', problem: '', conflict: undefined }
    queryClient.setQueryData(documentQuery(this.#name).queryKey, document)
    this.#show({})
  }

  readonly change = (to: (content: Content) => Content): void => {
    if (!this.#view) return
    const content = to(this.#view.content)
    this.#isDirty = true
    this.#local.keep({ content, version: this.#version })
    this.#show({ content, status: 'typing' })
    this.#saveIn(SAVE_AFTER_MS)
  }

  #saveIn(ms: number): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.save(), ms)
  }

  readonly save = async (): Promise<number | undefined> => {
    clearTimeout(this.#timer)
    await this.#saving
    if (!this.#view || this.#view.conflict) return undefined
    if (!this.#isDirty) return this.#version
    const { kind, key } = this.#name
    this.#isDirty = false
    this.#show({ status: 'saving', problem: '' })
    const saving = officeCall('PUT /api/office/documents/{kind}/{key}/draft', {
      params: { kind, key },
      body: { content: this.#view.content, version: this.#version },
    })
    this.#saving = saving.catch(() => undefined)
    try {
      const { version, hasDraft, savedAt, missing } = await saving
      this.#version = version
      this.#saving = undefined
      const document = { ...this.#view.document, version, hasDraft, savedAt, missing }
      this.#show({ document, status: this.#isDirty ? 'typing' : 'saved' })
      if (this.#isDirty) return await this.save()
      this.#local.discard()
      return version
    } catch (problem) {
      this.#saving = undefined
      this.#isDirty = true
      if (isRefused(problem, 409)) await this.#showConflict()
      else {
        this.#show({ status: 'failed', problem: problemWords(problem) })
        this.#saveIn(RETRY_MS)
      }
      return undefined
    }
  }

  async #showConflict(): Promise<void> {
    const conflict = await queryClient.fetchQuery({ ...documentQuery(this.#name), staleTime: 0 })
    this.#show({ status: 'failed', problem: '', conflict })
  }

  readonly keepMine = (): void => {
    const theirs = this.#view?.conflict
    if (!theirs) return
    this.#version = theirs.version
    this.#show({ document: theirs, conflict: undefined })
    void this.save()
  }

  readonly takeTheirs = (): void => {
    if (this.#view?.conflict) this.adopt(this.#view.conflict)
  }

  close(): void {
    void this.save()
    clearTimeout(this.#timer)
  }
}

const Context = createContext<Editing<never> | undefined>(undefined)
export const EditingContext = Context.Provider

/** The document of the page, for its drawers. */
export function useEditing<Content>(): Editing<Content> {
  const editing = useContext(Context)
  if (!editing) throw new Error('useEditing is for what a DocumentPage holds')
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the drawers are routes below the page of that kind
  return editing as unknown as Editing<Content>
}
