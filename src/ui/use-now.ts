import { useState } from 'react'

/** The time when this part of the screen came up: words like "today" do not change under the reader's eyes. */
export const useNow = (): number => useState(() => Date.now())[0]
