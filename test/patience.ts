// How long a test waits for what must come in the end, on a machine whose cores are all taken by others, too. How soon it
// comes is measured in bench/ and by the drills.

/** Of `expect.poll`, too: see vitest.config.ts. */
export const patience = { timeout: 45_000 }
