import { create } from 'zustand'
import type { BookCard } from '#contract/catalogue.ts'
import type { RedemptionCode } from '#contract/cards.ts'
import { localStore, tabStorage } from '#storage/page-storage.ts'
import { followOtherTabs } from '#session/other-tabs.ts'
import { belongsToPerson, type TabKey } from '#session/person.ts'

/** The title that a code opened, and the bookshop that sold it (ENT-21). */
export interface StoredCode {
  readonly code: string
  readonly bookshop: string
  readonly audioBook: BookCard
  /** The title whose own wizard it was typed into. */
  readonly spiSIN: string | null
}
export type Redeemed = Pick<StoredCode, 'bookshop' | 'audioBook' | 'spiSIN'>

interface Redemption {
  /** Valid, waiting for its reader to come in: on the device, since log-in and registration may happen in another tab. */
  readonly stored: StoredCode | null
  /** As it stands in the field: in this tab, since its address does not keep it. */
  readonly typed: string
  /** Used: what the welcome speaks of. */
  readonly redeemed: Redeemed | null
  /** Refused before it was spent, since its reader has the title. */
  readonly owned: StoredCode | null
  /** Why the form has its code back. */
  readonly notice: string
}

const STORED_CODE = 'redemptionCode'
const TYPED = 'redemptionTyped' satisfies TabKey
const REDEEMED = 'redeemedCard' satisfies TabKey

export const useRedemption = create<Redemption>()(() => ({
  stored: read<StoredCode>(localStore.getItem(STORED_CODE), 'code'),
  typed: tabStorage.getItem(TYPED) ?? '',
  redeemed: read<Redeemed>(tabStorage.getItem(REDEEMED), 'audioBook'),
  owned: null,
  notice: '',
}))

export const storedCode = (): StoredCode | null => useRedemption.getState().stored

export function storeTyped(typed: string): void {
  tabStorage.setItem(TYPED, typed)
  useRedemption.setState({ typed, notice: '' })
}

export const storeCode = (code: string, seen: RedemptionCode, spiSIN: string | null): void => {
  const stored = { code, bookshop: seen.outlet.name, audioBook: seen.audioBook, spiSIN }
  localStore.setItem(STORED_CODE, JSON.stringify(stored))
  useRedemption.setState({ stored, owned: null, notice: '' })
}

/** It was used, or is good for nothing: no tab has it any longer. */
export function letGo(code: string): void {
  if (storedCode()?.code !== code) return
  localStore.removeItem(STORED_CODE)
  useRedemption.setState({ stored: null })
}

export function welcome(code: string, redeemed: Redeemed): void {
  letGo(code)
  tabStorage.removeItem(TYPED)
  tabStorage.setItem(REDEEMED, JSON.stringify(redeemed))
  useRedemption.setState({ redeemed, typed: '', owned: null, notice: '' })
}

/** The reader has the title: the card stays good, for somebody else. */
export function passOn(owned: StoredCode): void {
  letGo(owned.code)
  tabStorage.removeItem(TYPED)
  useRedemption.setState({ owned, typed: '', notice: '' })
}

export const beginAgain = (): void => useRedemption.setState({ owned: null, notice: '' })

export const giveBack = (notice: string): void => useRedemption.setState({ notice })

/** Follows a code that another tab holds or has used. Returns a stop. */
export const followCodeOfOtherTabs = (): (() => void) =>
  followOtherTabs(STORED_CODE, () =>
    useRedemption.setState({ stored: read<StoredCode>(localStore.getItem(STORED_CODE), 'code') }),
  )

// The card that waits for its reader to come in (`stored`) is the device's, not yet a person's.
belongsToPerson('card', {
  close: () => useRedemption.setState({ typed: '', redeemed: null, owned: null, notice: '' }),
})

/** Nobody else writes there; what is broken counts as nothing. */
function read<T extends object>(text: string | null, needs: keyof T): T | null {
  try {
    const value: unknown = JSON.parse(text ?? 'null')
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by this file alone
    return typeof value === 'object' && value !== null && needs in value ? (value as T) : null
  } catch {
    return null
  }
}
