import { testStorage } from '#server/testing/storage-tests.ts';
import { openDiskStorage } from './disk-storage.ts';

testStorage(async (folder) => openDiskStorage(folder));
