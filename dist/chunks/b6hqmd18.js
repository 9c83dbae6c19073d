import{require_picocolors}from"./vfqd6t3q.js";export default require_picocolors();
