import process from 'node:process';
import fc from 'fast-check';

// The same random cases in every run, so that a red test is the change's fault. FUZZ_SEED=n looks at others.
fc.configureGlobal({ seed: Number(process.env['FUZZ_SEED'] ?? 2026) });
