import { call } from '#net/call.ts'
import { NetProblem } from '#net/problem.ts'
import { saveAddress } from '#ui/save-file.ts'
import { toast } from '#ui/toast.ts'

/** Saves an e-book with its audiobook as one file, which reading apps play in step. Only the server can make it. */
export async function saveSpokenBook(ownerUuid: string, slug: string, save = saveAddress): Promise<void> {
  try {
    const { url } = await call('GET /api/audio_books/{slug}/in_step/e_book', {
      params: { slug },
      as: ownerUuid,
    })
    save(url, `${slug}.epub`)
  } catch (problem) {
    const cannot = problem instanceof NetProblem && problem.status === 404
    toast(
      cannot
        ? 'This book can’t be saved together with its sound.'
        : 'That didn’t save. Check your connection and try again.',
    )
  }
}
