// The timeout for something that must happen eventually, even on a machine whose cores are all busy with other work.
// How soon it happens is measured in bench/ and by the fault drills.

/** Also the timeout of `expect.poll`: see vitest.config.ts. */
export const patience = { timeout: 45_000 }
