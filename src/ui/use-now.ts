import { useState } from 'react'

/** The time of the first render: words like "today" do not change while the user reads. */
export const useNow = (): number => useState(() => Date.now())[0]
