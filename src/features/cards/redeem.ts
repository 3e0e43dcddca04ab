import type { RedemptionCode } from '#contract/cards.ts'
import { CARD_REFUSALS } from '#contract/messages-cards.ts'
import { NetProblem } from '#net/problem.ts'
import { redeemCode, seeCode } from './calls.ts'
import { refusedAs, tryAgainWords, type Refused } from './model.ts'
import { giveBack, storedCode, storeCode, letGo, passOn, welcome } from './store.ts'

/** The place a code has led to: a step of the wizard, or back to its form, which has it still. */
export type Ending =
  | { readonly step: 'confirmation' | 'welcome' | 'enter' }
  | { readonly step: 'error'; readonly refused: Refused }

interface Reader {
  readonly signedIn: boolean
  /** Asks for the library again: also where redeeming failed, since an answer may have been lost (RDM-30). */
  readonly reloadLibrary: () => Promise<unknown>
}

/** Takes a typed code as far as it goes: a visitor's waits for them to come in, a reader's is redeemed. */
export async function begin(code: string, spiSIN: string | null, reader: Reader): Promise<Ending> {
  try {
    const seen = await seeCode(code, spiSIN)
    if (reader.signedIn) return await finish(code, seen, spiSIN, reader)
    if (seen.redeemed) return refuse(code, 'redeemed')
    storeCode(code, seen, spiSIN)
    return { step: 'confirmation' }
  } catch (problem) {
    return ended(code, problem)
  }
}

/** Its reader has come in (RDM-24, RDM-25): what they own is known only now, so the code is looked at once more. */
export async function goOn(spiSIN: string | null, reloadLibrary: Reader['reloadLibrary']): Promise<Ending> {
  const stored = storedCode()
  if (stored?.spiSIN !== spiSIN) return { step: 'enter' }
  return begin(stored.code, spiSIN, { signedIn: true, reloadLibrary })
}

async function finish(
  code: string,
  seen: RedemptionCode,
  spiSIN: string | null,
  { reloadLibrary }: Reader,
): Promise<Ending> {
  const { audioBook, redeemed, outlet } = seen
  const owned = { code, bookshop: outlet.name, audioBook, spiSIN }
  if (audioBook.inLibrary && !redeemed) return keepForAnother(owned)
  // Used, and the title is here: perhaps by this very card, whose answer was lost. The shop says which.
  if (redeemed && !audioBook.inLibrary) return refuse(code, 'redeemed')
  try {
    await redeemCode(code, spiSIN)
  } catch (problem) {
    const why = problem instanceof NetProblem ? problem.description : ''
    if (why === CARD_REFUSALS.alreadyOwned) return keepForAnother(owned)
    if (why !== CARD_REFUSALS.redeemedByYou) throw problem
  } finally {
    await reloadLibrary().catch(() => undefined)
  }
  welcome(code, { bookshop: outlet.name, audioBook, spiSIN })
  return { step: 'welcome' }
}

function keepForAnother(owned: Parameters<typeof passOn>[0]): Ending {
  passOn(owned)
  return { step: 'enter' }
}

function refuse(code: string, refused: Refused): Ending {
  letGo(code)
  return { step: 'error', refused }
}

function ended(code: string, problem: unknown): Ending {
  const refused = refusedAs(problem)
  if (refused) return refuse(code, refused)
  giveBack(tryAgainWords(problem))
  return { step: 'enter' }
}
